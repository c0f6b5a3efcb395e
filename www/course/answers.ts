// The teacher's answers for a person's number: the exercises' figures, measured here with that seed.

import init, { TourMeasuring } from '../../pkg/snapshot_web';

/** Time between two looks at the page, ms. */
const PIECE_MS = 40;

const number = document.querySelector<HTMLInputElement>('#number');
const compute = document.querySelector<HTMLButtonElement>('#compute');
const said = document.querySelector<HTMLElement>('#computed');
const answers = [...document.querySelectorAll<HTMLDataElement>('data[data-claim]')];

/** Puts a value in the place of another one, with its decimals and its unit. */
export function inPlaceOf(text: string, value: number): string {
  const decimals = /^[\d,]*\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return text.replace(/^[\d.,]+/, value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
}

async function measure(seed: number): Promise<void> {
  await init();
  const measuring = new TourMeasuring();
  measuring.ask_exercises(seed);
  while (measuring.work(PIECE_MS)) {
    if (said !== null) said.textContent = `${measuring.done().length} of ${answers.length} measured…`;
    await new Promise((resolve) => setTimeout(resolve));
  }
  for (const { step, claim, value } of measuring.done()) {
    const answer = answers.find(({ dataset }) => dataset['claim'] === `${step} ${claim}`);
    if (answer !== undefined) answer.textContent = inPlaceOf(answer.textContent ?? '', value);
  }
  measuring.free();
  if (said !== null) said.textContent = `These are the answers for number ${seed}.`;
}

compute?.addEventListener('click', () => {
  if (number === null || !number.reportValidity()) return;
  compute.disabled = true;
  void measure(number.valueAsNumber).finally(() => {
    compute.disabled = false;
  });
});
