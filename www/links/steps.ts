// Steps of the tour that was, as links name them: the figure of the article that shows the same, or the link of the step.

/** Figures of the article, each with the steps that it shows. */
export const stepsOfFigures: Readonly<Record<string, string>> = {
  seam: 'two-copies you-can',
  three: 'cut who-pays nine-hundred one-bad-network late-key tcp-queue',
  snapshot: 'cube-in-bits',
  playout: 'no-buffer buffer',
  rate: 'ten',
  line: 'where-linear velocities rotation',
  gap: 'enough-delay more-often',
  guess: 'guess-ahead',
  steps: 'four-floats velocity-hint most-still how-fine need-it',
  same: 'nothing-new',
  ack: 'lose-packet lose-ack ack-bits previous late-join',
  small: 'say-nothing ninety gaps small-steps rotation-harder two-flags',
  likely: 'there narrow fractions guess-well both-foresee half-a-bit',
  lab: 'your-game',
};

/** Links of the steps that no figure shows. */
const LINKS: Readonly<Record<string, string>> = {
  'one-bit': 'v=1&strategy=lockstep&desync=bit&at=50&show=errors&shade=error',
  'two-machines': 'v=1&strategy=lockstep&desync=bit&scene=katamari&at=50&show=errors&shade=error',
  'another-order': 'v=1&strategy=lockstep&desync=order&at=40&show=errors&shade=error',
  patience: 'v=1&strategy=lockstep&loss=0&jitter=33&delay=0&seed=4&b.delay=50&at=300&views=two&show=errors',
  'your-play': 'v=1&hz=60&codec=predicted&at=1200&show=bits',
  budget: 'v=1&strategy=sync&scene=katamari&loss=10&both=0&smooth=off&seed=2&b.budget=64&at=600&views=two&show=compare&shade=error',
  'who-gets-in': 'v=1&strategy=sync&both=0&smooth=off&accumulate=0&b.accumulate=1&at=1080&views=two&show=compare&shade=error',
  'unseen-velocities': 'v=1&strategy=sync&scene=katamari&both=0&smooth=off&velocities=0&b.velocities=1&seed=2&at=1020&views=two&show=compare&shade=error',
  'feed-back': 'v=1&strategy=sync&budget=64&smooth=off&both=0&b.both=1&at=600&views=two&show=compare&shade=error',
  jitter: 'v=1&strategy=sync&jitter=33&smooth=off&buffer=none&b.buffer=5&at=400&views=two&show=compare',
  smooth: 'v=1&strategy=sync&smooth=off&b.smooth=adaptive&at=1195&views=two&show=compare',
  'more-updates': 'v=1&strategy=sync&scene=katamari&both=0&smooth=off&b.rel=1&b.delta=1&b.rest=1&at=900&views=two&show=compare&shade=age',
  'over-the-rate': 'v=1&hz=60&codec=position&jitter=0&loss=0&delay=200&rate=3900&queue=500&b.rate=5000&at=0&views=two&show=link',
  'why-256': 'v=1&hz=60&scene=katamari&codec=changed-flags&jitter=0&loss=0&rate=256&queue=500&b.codec=predicted&at=360&views=two&show=link',
  'next-door':
    'v=1&hz=60&codec=changed-flags&jitter=0&loss=0&latency=20&delay=50&rate=1000&queue=300&neighbour=100&back.neighbour=0&b.neighbour=0&at=600&views=two&show=link',
  'long-tail': 'v=1&hz=60&codec=changed-flags&loss=0&latency=80&jitter=40&order=1&delay=85&shape=pareto&b.shape=uniform&seed=4&at=360&views=two&show=link',
  adapts: 'v=1&hz=60&codec=changed-flags&link=wifi-busy&delay=70&b.delay=adaptive&at=360&views=two&show=link',
  'two-clocks': 'v=1&hz=20&scene=roll&codec=changed-flags&jitter=0&loss=0&delay=55&drift=1000&clock=first&b.clock=fastest&at=1980&views=two&show=compare',
  'your-ping': 'v=1&hz=60&codec=changed-flags&jitter=0&loss=0&delay=32&b.delay=270&at=360&views=two&show=link',
  'your-key': 'v=2&strategy=game&predict=wait&scene=roll&latency=50&jitter=0&loss=0&at=240&show=errors',
  'own-alone': 'v=2&strategy=game&predict=own&scene=mixed&latency=50&jitter=0&loss=0&at=600&show=errors',
  'what-i-touch': 'v=2&strategy=game&predict=touch&scene=mixed&latency=50&jitter=0&loss=0&at=600&show=errors',
  'all-ahead': 'v=2&strategy=game&predict=all&scene=mixed&rival=script&latency=100&jitter=0&loss=0&at=600&show=errors',
  'rival-guess': 'v=2&strategy=game&predict=all&scene=mixed&rival=script&latency=100&jitter=0&loss=0&at=600&show=errors',
  'what-he-saw': 'v=2&strategy=game&predict=own&scene=mixed&rival=script&latency=100&jitter=0&loss=0&at=600&show=errors',
  'snap-or-glide':
    'v=2&strategy=game&predict=all&correct=snap&scene=mixed&rival=script&latency=100&jitter=0&loss=0&b.correct=glide&at=600&views=two&show=errors',
  'too-late': 'v=2&strategy=game&predict=all&lead=10&scene=roll&latency=50&jitter=0&loss=0&stall=3&stallms=100&b.lead=100&at=240&views=two&show=errors',
  'lost-keys': 'v=2&strategy=game&predict=all&repeats=1&scene=roll&latency=50&jitter=0&loss=10&b.repeats=16&at=240&views=two&show=errors',
  'crowd-bill': 'v=2&strategy=game&scene=crowd&predict=wait&clients=8&loss=0&at=360&show=errors',
  'all-or-nothing': 'v=2&strategy=game&scene=crowd&predict=wait&loss=0&jitter=0&rate=96&queue=500&b.budget=80&at=480&views=two&show=errors',
  'nearest-first': 'v=2&strategy=game&scene=crowd&predict=wait&loss=0&budget=48&nearest=0&b.nearest=1&at=480&views=two&show=errors&shade=age',
  'lost-part': 'v=2&strategy=game&scene=crowd&predict=wait&loss=10&mtu=576&b.budget=112&at=480&views=two&show=errors',
  'two-windows': 'v=2&strategy=game&predict=touch&scene=mixed&rival=script&latency=20&jitter=0&loss=0&at=600',
  'what-the-way-costs': 'v=2&strategy=game&predict=touch&scene=mixed&rival=script&hz=60&latency=20&jitter=0&loss=0&header=webrtc&at=600',
  'big-packets': 'v=2&hz=60&codec=index&scene=katamari&latency=50&jitter=0&loss=5&header=webrtc&datachannel=1&at=900&show=link',
  'two-hands': 'v=2&strategy=game&predict=touch&scene=mixed&rival=script&latency=50&jitter=0&loss=0&at=600&show=errors',
  'see-bits': 'v=2&hz=60&interp=linear&latency=50&jitter=0&loss=0&pos=12&rot=15&b.pos=4&b.rot=15&at=600&views=two&show=tell',
  'see-rate': 'v=2&hz=60&interp=hermite&latency=50&jitter=0&loss=0&b.hz=6&at=600&views=two&show=tell',
  'see-freeze': 'v=2&hz=20&interp=linear&delay=55&latency=50&jitter=0&loss=5&b.delay=160&at=600&views=two&show=tell',
  'see-snap': 'v=2&strategy=game&predict=own&correct=snap&scene=mixed&latency=50&jitter=0&loss=0&b.correct=glide&at=600&views=two&show=tell',
  'see-bill': 'v=2&hz=60&interp=hermite&latency=50&jitter=0&loss=0&b.hz=20&at=600&views=two&show=tell',
};

/** The address for a link that names a step; undefined for any other link. A part of another page shows no article. */
export function addressOfStep(hash: string): string | undefined {
  const step = /[#&]step=([a-z0-9-]+)/.exec(hash)?.[1];
  if (step === undefined) return undefined;
  const isPart = /[#&]embed=1(&|$)/.test(hash);
  const figure = Object.keys(stepsOfFigures).find((figure) => stepsOfFigures[figure]?.split(' ').includes(step));
  if (figure !== undefined && !isPart) return `./article/?step=${step}#${figure}`;
  const link = LINKS[step];
  // The laboratory says in a notice what has become of the tour.
  return link === undefined || /[#&](at|hz)=/.test(hash) ? undefined : `#${link}&step=${step}${isPart ? '&embed=1' : ''}`;
}
