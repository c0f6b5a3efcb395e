// Codes and descriptions of connections: what is written is read, and anything else is refused in words. FUZZ=1000000 SEED=2 runs more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_MAX, type Code, codeOf, readCode } from '../../wire/code';
import { Awaited, FILE_BYTES_MAX, IncomingFile } from '../../wire/file-transfer';
import { checked, sdpOf, type Terms, termsOf } from '../../wire/terms';

const RUNS = Number(process.env['FUZZ'] ?? 2000);
/** Changes of one code: to write a code takes longer than to read it. */
const CHANGES = 16;
let state = Number(process.env['SEED'] ?? 7);
const draw = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const letters = (alphabet: string, count: number): string => Array.from({ length: count }, () => alphabet[draw(alphabet.length)]).join('');
const ICE = 'ABCXYZabcxyz0189+/';

function drawnTerms(): Terms {
  const address = [`192.168.${draw(256)}.${draw(256)}`, 'fd00::1', `${letters('0123456789abcdef', 8)}-1b2c.local`];
  const candidate = (): string => {
    const kind = ['host', 'srflx raddr 0.0.0.0 rport 0', 'relay raddr 10.0.0.1 rport 9'][draw(3)];
    return `${letters(ICE, 1 + draw(32))} 1 udp ${draw(2 ** 31)} ${address[draw(3)]} ${draw(65_536)} typ ${kind}`;
  };
  return {
    ufrag: letters(ICE, 4 + draw(28)),
    pwd: letters(ICE, 22 + draw(40)),
    fingerprint: Array.from({ length: 32 }, () => letters('0123456789ABCDEF', 2)).join(':'),
    setup: ['actpass', 'active', 'passive'][draw(3)] ?? '',
    candidates: Array.from({ length: draw(8) }, candidate),
  };
}

function drawnCode(): Code {
  const words = ['v=2&scene=roll&rival=hand', '', 'Ада “Lovelace” <b>', 'a'.repeat(draw(3000))][draw(4)] ?? '';
  return { kind: draw(2) === 0 ? 'invitation' : 'answer', id: letters('0123456789abcdef', 24), words, terms: drawnTerms() };
}

test('a code that was written is read, alone and in a link', async () => {
  for (let run = 0; run < 300; run += 1) {
    const code = drawnCode();
    const text = await codeOf(code);
    assert.match(text, /^1\.[\w-]+$/);
    assert.deepEqual(await readCode(` ${text}\n`), code);
    assert.deepEqual(await readCode(`https://example.org/any/join.html#code=${text}`), code);
  }
});

/** A text as a mail breaks and quotes it. */
const quoted = (text: string, width: number, mark: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map((line) => mark + line).join('\n');

test('a code as chats and mails make it is read', async () => {
  for (let run = 0; run < 12; run += 1) {
    const code = drawnCode();
    const text = await codeOf(code);
    const link = `https://example.org/any/join.html#code=${text}`;
    for (const made of [
      `<${link}>`,
      `${link}.`,
      `${text}.`,
      `(${text}),`,
      `“${text}”`,
      `\`${text}\``,
      `[${link}](${link})`,
      `Come in: ${link} – see you, Ann`,
      `Here is my answer:\n\n${text}\n\nBest regards\nAnn`,
      `Send to 1.2.3.4\n${text}`,
      `> On Monday Bob wrote:\n${quoted(text, 76, '> ')}\n> Bob`,
      `${quoted(link, 70, '>> ')}\r\n>> --`,
      quoted(text, 60, ''),
      quoted(text, 72, '').replaceAll('\n', '=\r\n'),
      // A field of one line takes the ends of lines away.
      quoted(text, 76, '> ').replaceAll('\n', ''),
      quoted(text, 76, '').replaceAll('\n', ' '),
      text.replaceAll(/.{40}/g, '$&\u200b'),
      `${text.slice(0, 30)}\u00ad${text.slice(30)}`,
      `#code=${text}%3E`,
    ]) {
      assert.deepEqual(await readCode(made), code, made);
    }
  }
});

test('a changed code is refused in words, unless it means the same', async () => {
  let refused = 0;
  let code = drawnCode();
  let text = '';
  for (let run = 0; run < RUNS; run += 1) {
    if (run % CHANGES === 0) {
      code = drawnCode();
      text = await codeOf(code);
    }
    const at = draw(text.length);
    const changes = [text.slice(0, at), text.slice(0, at) + letters('Aa0-_. <é', 1 + draw(3)) + text.slice(at + 1), text + letters('Aa0', 1 + draw(9))];
    try {
      assert.deepEqual(await readCode(changes[draw(3)] ?? ''), code);
    } catch (error) {
      refused += 1;
      assert.ok(error instanceof Error && !('code' in error) && /^This (code|is no code)/.test(error.message), String(error));
    }
  }
  // Node reads no farther than the end of the compressed part: letters behind it mean nothing.
  assert.ok(refused > RUNS * 0.6, `${refused} of ${RUNS}`);
});

test('codes of another version, of too many bytes, and bombs are refused', async () => {
  const text = await codeOf(drawnCode());
  await assert.rejects(readCode(`2${text.slice(1)}`), /another version/);
  await assert.rejects(readCode(`1.${'A'.repeat(CODE_MAX)}`), /too long/);
  // 30 MB of zeros are some 30 kB.
  const bomb = new Response(new Blob([new Uint8Array(3e7)]).stream().pipeThrough(new CompressionStream('deflate-raw')));
  const packed = Buffer.from(await bomb.arrayBuffer()).toString('base64url');
  assert.ok(packed.length < CODE_MAX);
  await assert.rejects(readCode(`1.${packed}`), /not whole/);
  const terms = drawnTerms();
  for (const broken of [
    { ...terms, ufrag: 'abc' },
    { ...terms, pwd: 'a'.repeat(21) },
    { ...terms, pwd: `${'a'.repeat(22)}\r\na=x` },
    { ...terms, fingerprint: terms.fingerprint.slice(3) },
    { ...terms, setup: 'holdconn' },
    { ...terms, candidates: ['a 1 tcp 1 10.0.0.1 9 typ host'] },
    { ...terms, candidates: ['a 1 udp 1 10.0.0.1 9 typ host\r\na=x'] },
    { ...terms, candidates: Array.from({ length: 25 }, () => 'a 1 udp 1 10.0.0.1 9 typ host') },
  ]) {
    assert.equal(checked(broken), undefined, JSON.stringify(broken));
    await assert.rejects(readCode(await codeOf({ kind: 'answer', id: 'a', words: '', terms: broken })), /not whole/);
  }
});

test('a description is written anew from its parts, and lines of others are left out', () => {
  for (let run = 0; run < 300; run += 1) {
    const terms = drawnTerms();
    const more = ['a=ice-options:trickle', 'a=candidate:1 1 tcp 1 10.0.0.1 9 typ host tcptype active', 'a=evil:1', 'a=candidate:nonsense'];
    const sdp = sdpOf(terms)
      .replace('a=mid:0', ['a=mid:0', ...more].join('\r\n'))
      .replaceAll(/(typ host)$/gm, '$1 generation 0 network-cost 999');
    assert.deepEqual(termsOf(sdp), terms);
    assert.ok(!sdpOf(terms).includes('evil'));
  }
  assert.equal(termsOf(''), undefined);
  assert.equal(termsOf(sdpOf(drawnTerms()).replace('m=application', 'm=audio')), undefined);
  assert.equal(termsOf(`${sdpOf(drawnTerms())}m=audio 9 UDP/TLS/RTP/SAVPF 0\r\n`), undefined);
});

test('a file arrives in parts of any size, and more than was announced is refused', () => {
  for (let run = 0; run < 200; run += 1) {
    const bytes = Uint8Array.from({ length: 1 + draw(500) }, () => draw(256));
    const parcel = new IncomingFile(bytes.length);
    let [at, whole] = [0, undefined as Uint8Array | undefined];
    while (at < bytes.length) {
      assert.equal(whole, undefined);
      assert.equal(parcel.share, at / bytes.length);
      const size = 1 + draw(90);
      whole = parcel.add(bytes.slice(at, at + size));
      at += size;
    }
    assert.deepEqual(whole, bytes);
    assert.throws(() => parcel.add(new Uint8Array(1)), /More has arrived/);
  }
  for (const length of [0, -1, 1.5, Number.NaN, FILE_BYTES_MAX + 1, Number.POSITIVE_INFINITY]) assert.throws(() => new IncomingFile(length), /no file/);
});

test('a file that is announced and does not come is given up, and one that comes in time is taken', () => {
  const silent = new Awaited('log', 1_000);
  assert.ok(!silent.isLate(10_900) && silent.isLate(11_100));
  silent.announce(100, 9_000);
  assert.ok(!silent.isLate(18_900) && silent.isLate(19_100));
  assert.throws(() => silent.announce(5, 9_000), /twice/);
  // Parts of no bytes bring it no farther, and drops do not bring it for ever.
  assert.equal(silent.add(new Uint8Array(0), 18_000), undefined);
  assert.ok(silent.isLate(19_100));
  const drops = new Awaited('frames', 0);
  assert.equal(drops.add(new Uint8Array(1), 0), undefined);
  drops.announce(1_000, 0);
  let nowMs = 0;
  for (; !drops.isLate(nowMs); nowMs += 9_000) drops.add(new Uint8Array(1), nowMs);
  assert.ok(nowMs < 130_000, String(nowMs));
  const whole = new Awaited('frames', 0);
  whole.announce(8, 9_000);
  assert.equal(whole.add(new Uint8Array(4), 18_000), undefined);
  assert.equal(whole.share, 0.5);
  assert.equal(whole.add(new Uint8Array(4), 27_000)?.length, 8);
});
