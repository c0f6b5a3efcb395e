// What a visitor's code may try. Tests run it in each browser.
// @ts-check

/**
 * Each way out of a Worker or a frame. A probe that throws, rejects or has no answer in a second reaches nothing. The site's server
 * knows requests by `attack` in their address.
 */
export const ATTACK = `
const later = (start) => new Promise((good, bad) => { start(good, bad); setTimeout(() => bad(new Error('no answer')), 1000); });
const probes = {
  caches: () => caches.open('x').then((cache) => cache.put(new Request('https://example.org/'), new Response('own page'))),
  indexedDB: () => later((good, bad) => { const asked = indexedDB.open('snapshot-lab'); asked.onsuccess = good; asked.onerror = bad; }),
  localStorage: () => localStorage.setItem('a', 'b'),
  sessionStorage: () => sessionStorage.setItem('a', 'b'),
  cookie: () => { document.cookie = 'a=b'; if (document.cookie === '') throw new Error('none is kept'); },
  files: () => navigator.storage.getDirectory(),
  locks: () => navigator.locks.request('x', () => 1),
  serviceWorker: () => navigator.serviceWorker.register('./sw.js'),
  sharedWorker: () => new SharedWorker('./sw.js'),
  fetchOwn: () => fetch(SITE + '?attack=fetch'),
  fetchOther: () => fetch('https://example.org/'),
  fetchData: () => fetch('data:,x'),
  xhr: () => { const asked = new XMLHttpRequest(); asked.open('GET', SITE + '?attack=xhr', false); asked.send(); },
  webSocket: () => later((good, bad) => { const socket = new WebSocket('wss://example.org/'); socket.onopen = good; socket.onerror = bad; }),
  webTransport: () => new WebTransport('https://example.org/').ready,
  eventSource: () => later((good, bad) => { const source = new EventSource(SITE + '?attack=events'); source.onopen = good; source.onerror = bad; }),
  beacon: () => { if (!navigator.sendBeacon('https://example.org/', 'x')) throw new Error('refused'); },
  webRtc: () => later((good, bad) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:example.org' }] });
    peer.createDataChannel('x');
    peer.onicecandidate = ({ candidate }) => candidate && good();
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(bad);
  }),
  importScripts: () => importScripts(SITE + 'sw.js?attack=importScripts'),
  importOwn: () => import(SITE + 'sw.js?attack=import'),
  importBlob: () => import(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))),
  evaluate: () => new Function('return 1')(),
  broadcast: () => later((good) => { const channel = new BroadcastChannel('snapshot-lab-files'); channel.postMessage(['motion', 'x']); channel.onmessage = good; }),
  parent: () => parent.document.title,
  topDocument: () => top.document.title,
  topMoves: () => { top.location.href = 'https://example.org/'; },
  opener: () => opener.document.title,
  popup: () => { if (open('https://example.org/') === null) throw new Error('refused'); },
  image: () => later((good, bad) => { const image = new Image(); image.onload = good; image.onerror = bad; image.src = SITE + 'icon.svg?attack=image'; }),
  clipboard: () => navigator.clipboard.readText(),
};
const probed = async () => {
  const reached = [];
  for (const [name, probe] of Object.entries(probes)) {
    try { await probe(); reached.push(name); } catch {}
  }
  return reached.join(' ') || 'nothing';
};
`;
