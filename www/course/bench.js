// The script of the frame without an origin in which a person's code runs. Each run has a Worker of its own, which ends with an answer,
// with an error, or when its time is up. The build puts this text into buffer.html, under a policy that reaches nothing.
// @ts-check
{
  /** @type {any} */
  const types = Reflect.get(window, 'trustedTypes');
  const policy = types?.createPolicy('buffer-worker', { createScriptURL: (/** @type {string} */ address) => address });

  addEventListener('message', ({ data: { text, task, patienceMs }, ports: [answer], source }) => {
    if (source !== parent) return;
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    const worker = new Worker(policy?.createScriptURL(address) ?? address);
    const end = (/** @type {unknown} */ said) => {
      clearTimeout(patience);
      worker.terminate();
      URL.revokeObjectURL(address);
      // An answer may hold a thing that goes no further, such as a port: its text is all that is handed on.
      answer?.postMessage(JSON.stringify(said));
    };
    const patience = setTimeout(() => end({ error: `It did not end within ${patienceMs / 1000} s.` }), patienceMs);
    worker.onmessage = ({ data }) => end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end({ error: `Line ${event.lineno}: ${event.message}` });
    };
    worker.postMessage(task);
  });
}
