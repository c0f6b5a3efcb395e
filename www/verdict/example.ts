// The example of a recording: a script that is played when it is asked for, as long as a promise of no freezes needs.

/** With two freezes a minute allowed, eight runs of this length would show five. */
const SECONDS = 20;
const TICKS_A_SECOND = 60;

interface Shown {
  position: readonly [number, number, number];
  /** Angles about the axes z and x, radians. */
  yaw: number;
  roll: number;
}

interface Body {
  half: readonly [number, number, number];
  at: (time: number) => Shown;
}

/** A car that drives round a loop with two turns, and looks where it goes. */
function car(lap: number, offset: number): Body {
  const place = (time: number): [number, number] => {
    const turn = (2 * Math.PI * time) / lap + offset;
    return [9 * Math.sin(turn), 5 * Math.sin(2 * turn) + offset];
  };
  return {
    half: [0.9, 0.45, 0.35],
    at: (time) => {
      const [[x, y], [beforeX, beforeY]] = [place(time), place(time - 0.01)];
      return { position: [x, y, 0.35], yaw: Math.atan2(y - beforeY, x - beforeX), roll: 0 };
    },
  };
}

/** A box that bounces in place and tumbles while it is in the air. */
function bouncer(x: number, y: number, height: number, turns: number): Body {
  const fall = Math.sqrt((2 * height) / 9.81);
  return {
    half: [0.3, 0.3, 0.3],
    at: (time) => {
      const bounce = Math.floor(time / (2 * fall));
      const since = time - 2 * fall * bounce - fall;
      return { position: [x, y, 0.3 + height - (9.81 / 2) * since * since], yaw: 0.2 * bounce, roll: turns * 2 * Math.PI * (time / (2 * fall)) };
    },
  };
}

/** A lift that rises, waits, sinks and waits. */
function lift(x: number, y: number): Body {
  return {
    half: [1.2, 1.2, 0.1],
    at: (time) => {
      const phase = (time / 4) % 2;
      const risen = Math.min(1, phase < 1 ? phase * 2 : Math.max(0, 1 - (phase - 1) * 2));
      return { position: [x, y, 0.1 + 3 * risen * risen * (3 - 2 * risen)], yaw: 0, roll: 0 };
    },
  };
}

const BODIES: readonly Body[] = [car(8, 0), car(11, 1.5), car(9.5, 3), bouncer(-6, -7, 1.6, 1), bouncer(-4, -7, 2.5, 2), bouncer(-2, -7, 0.9, 1), lift(5, -7)];

/** The recording as text, in the format of the page on motions. */
export function exampleRecording(): string {
  const lines = [`rate=${TICKS_A_SECOND}`, 'tick,object,x,y,z,qx,qy,qz,qw,hx,hy,hz'];
  const before = new Map<number, string>();
  for (let tick = 0; tick <= SECONDS * TICKS_A_SECOND; tick += 1) {
    for (const [object, { half, at }] of BODIES.entries()) {
      const { position, yaw, roll } = at(tick / TICKS_A_SECOND);
      const [sinYaw, cosYaw, sinRoll, cosRoll] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(roll / 2), Math.cos(roll / 2)];
      const turn = [cosYaw * sinRoll, sinYaw * sinRoll, sinYaw * cosRoll, cosYaw * cosRoll];
      const row = [...position, ...turn, ...half].map((value) => Number(value.toFixed(4))).join();
      // What rests need not be told; the last tick is the end.
      if (before.get(object) !== row || tick === SECONDS * TICKS_A_SECOND) lines.push(`${tick},${object},${row}`);
      before.set(object, row);
    }
  }
  return `${lines.join('\n')}\n`;
}
