// The last figure: the laboratory, loaded when somebody asks for it.

/** Puts a button over the still; a press puts the laboratory in its place. */
export function open(stage: HTMLElement, address: string): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'begin';
  button.textContent = 'Start the laboratory';
  button.addEventListener('click', () => {
    const frame = document.createElement('iframe');
    frame.title = 'Snapshot Lab';
    frame.src = address;
    stage.replaceChildren(frame);
    frame.focus();
  });
  stage.append(button);
}
