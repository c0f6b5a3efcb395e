// Draws views of cubes with the laboratory's shaders. One context serves all figures of a page.

import cubeFragment from '../../crate/web/src/views/cube.frag?raw';
import cubeVertex from '../../crate/web/src/views/cube.vert?raw';
import floorFragment from '../../crate/web/src/views/floor.frag?raw';
import floorVertex from '../../crate/web/src/views/floor.vert?raw';
import ghostFragment from '../../crate/web/src/views/ghost.frag?raw';
import light from '../../crate/web/src/views/light.glsl?raw';
import plainFragment from '../../crate/web/src/views/plain.frag?raw';
import { type Camera, lookAt, type Matrix, minus, orthographic, times, unit, type Vector } from './camera';

/** Floats of an instance: position and half side, orientation, colour. */
export const INSTANCE = 12;
const NEAR_M = 0.2;
const SUN: Vector = [25, -50, 100];
const SHADOW_TEXELS = 2048;
const SHADOW_M = 52;

/** Part of the canvas in pixels, from its lower left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Colour = readonly [number, number, number];

interface Program {
  readonly program: WebGLProgram;
  readonly uniform: (name: string) => WebGLUniformLocation | null;
}

const ATTRIBUTES = ['corner', 'normal', 'position_half', 'orientation', 'colour', 'proportions'] as const;

export class Renderer {
  readonly canvas: OffscreenCanvas;
  readonly #gl: WebGL2RenderingContext;
  readonly #lit: Program;
  readonly #flat: Program;
  readonly #ghost: Program;
  readonly #floor: Program;
  readonly #depth: Program | undefined;
  readonly #map: { readonly texture: WebGLTexture; readonly frame: WebGLFramebuffer } | undefined;
  readonly #cubes: { readonly array: WebGLVertexArrayObject; readonly instances: WebGLBuffer };
  readonly #ghosts: { readonly array: WebGLVertexArrayObject; readonly instances: WebGLBuffer };
  #sun: Matrix = new Float32Array(16);

  /** Makes the context. Shadows are soft where a graphics card draws them, or time does not matter. */
  constructor(isStill: boolean) {
    this.canvas = new OffscreenCanvas(300, 150);
    const gl = this.canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (gl === null) throw new Error('This browser has no WebGL 2');
    this.#gl = gl;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const isSoftware = !isStill && info !== null && /SwiftShader|llvmpipe|Software/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)));
    const soft = isSoftware ? '' : `#define SHADOW_MAP\n${light}\n`;
    this.#lit = this.#program(`#define LIT\n${cubeVertex}`, soft + cubeFragment);
    this.#floor = this.#program(floorVertex, soft + floorFragment);
    this.#flat = this.#program(`#define FLAT\n${cubeVertex}`, plainFragment);
    this.#ghost = this.#program(`#define LIT\n${cubeVertex}`, ghostFragment);
    this.#depth = isSoftware ? undefined : this.#program(cubeVertex, 'void main() {}');
    this.#map = isSoftware ? undefined : this.#shadowMap();
    const mesh = this.#buffer(cube());
    this.#cubes = this.#instanced(mesh);
    this.#ghosts = this.#instanced(mesh);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
  }

  get isLost(): boolean {
    return this.#gl.isContextLost();
  }

  begin(width: number, height: number, paper: Colour): void {
    const gl = this.#gl;
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /** Draws cubes and the edges of others: the whole picture belongs into `box`, and `seen` of it is drawn. */
  draw(cubes: Float32Array, ghosts: Float32Array, camera: Camera, box: Box, seen: Box, paper: Colour): void {
    const gl = this.#gl;
    const count = cubes.length / INSTANCE;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#cubes.instances);
    gl.bufferData(gl.ARRAY_BUFFER, cubes, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(this.#cubes.array);
    if (this.#map !== undefined && this.#depth !== undefined) this.#drawMap(this.#map.frame, this.#depth, camera.target, count);
    gl.enable(gl.SCISSOR_TEST);
    gl.viewport(box.x, box.y, box.width, box.height);
    gl.scissor(seen.x, seen.y, seen.width, seen.height);
    const viewProjection = camera.viewProjection(box.width, box.height);
    const isBright = paper[0] * 0.3 + paper[1] * 0.6 + paper[2] * 0.1 > 0.5;
    const shade = isBright ? 0.8 : 0.45;
    const shadow: Colour = [paper[0] * shade, paper[1] * shade, paper[2] * shade];
    const off = isBright ? -0.09 : 0.07;
    const line: Colour = [paper[0] + off, paper[1] + off, paper[2] + off];

    gl.depthMask(false);
    gl.disable(gl.DEPTH_TEST);
    this.#use(this.#floor, viewProjection);
    gl.uniform2f(this.#floor.uniform('centre'), camera.target[0], camera.target[1]);
    gl.uniform3f(this.#floor.uniform('background'), ...paper);
    gl.uniform3f(this.#floor.uniform('line_colour'), ...line);
    gl.uniform3f(this.#floor.uniform('shadow_colour'), ...shadow);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    if (this.#map === undefined) {
      this.#use(this.#flat, viewProjection);
      gl.uniform3f(this.#flat.uniform('plain_colour'), ...shadow);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, count);
    }
    gl.depthMask(true);
    gl.enable(gl.DEPTH_TEST);
    this.#use(this.#lit, viewProjection);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, count);

    if (ghosts.length > 0) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#ghosts.instances);
      gl.bufferData(gl.ARRAY_BUFFER, ghosts, gl.DYNAMIC_DRAW);
      gl.bindVertexArray(this.#ghosts.array);
      gl.depthMask(false);
      this.#use(this.#ghost, viewProjection);
      const edge = isBright ? [0, 0.35, 1, 1] : [0.2, 0.55, 1, 1];
      gl.uniform4fv(this.#ghost.uniform('edge_colour'), edge);
      gl.uniform1f(this.#ghost.uniform('near'), NEAR_M);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, ghosts.length / INSTANCE);
      gl.depthMask(true);
    }
  }

  /** Fills a part of the canvas, such as the line between two views. */
  fill({ x, y, width, height }: Box, colour: Colour): void {
    const gl = this.#gl;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, width, height);
    gl.clearColor(...colour, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  #use({ program, uniform }: Program, viewProjection: Matrix): void {
    const gl = this.#gl;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniform('view_projection'), false, viewProjection);
    gl.uniform3f(uniform('sun'), ...unit(SUN));
    if (this.#map === undefined) return;
    gl.uniformMatrix4fv(uniform('sun_view_projection'), false, this.#sun);
    gl.uniform1f(uniform('shadow_texel_m'), SHADOW_M / SHADOW_TEXELS);
    gl.uniform1i(uniform('shadow_map'), 0);
  }

  #drawMap(frame: WebGLFramebuffer, depth: Program, target: Vector, count: number): void {
    const gl = this.#gl;
    // Whole texels at a time, or the edges of shadows crawl while the camera moves.
    const step = (8 * SHADOW_M) / SHADOW_TEXELS;
    const snap = (along: number): number => Math.round(along / step) * step;
    const centre: Vector = [snap(target[0]), snap(target[1] + 8), 0];
    const from = minus(centre, [-SUN[0], -SUN[1], -SUN[2]]);
    this.#sun = times(orthographic(SHADOW_M / 2, 40, 200), lookAt(from, centre, [0, 1, 0]));
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.disable(gl.SCISSOR_TEST);
    gl.viewport(0, 0, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(depth.program);
    gl.uniformMatrix4fv(depth.uniform('view_projection'), false, this.#sun);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, count);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  #shadowMap(): { texture: WebGLTexture; frame: WebGLFramebuffer } {
    const gl = this.#gl;
    const [texture, frame] = [gl.createTexture(), gl.createFramebuffer()];
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT32F, SHADOW_TEXELS, SHADOW_TEXELS);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame };
  }

  #program(vertex: string, fragment: string): Program {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(kind) as WebGLShader;
      gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${text}`);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ATTRIBUTES.forEach((name, place) => gl.bindAttribLocation(program, place, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(`A shader failed: ${gl.getProgramInfoLog(program)}`);
    const places = new Map<string, WebGLUniformLocation | null>();
    const uniform = (name: string): WebGLUniformLocation | null => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
      return places.get(name) ?? null;
    };
    return { program, uniform };
  }

  #buffer(data: Float32Array): WebGLBuffer {
    const buffer = this.#gl.createBuffer();
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, buffer);
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, data, this.#gl.STATIC_DRAW);
    return buffer;
  }

  #instanced(mesh: WebGLBuffer): { array: WebGLVertexArrayObject; instances: WebGLBuffer } {
    const gl = this.#gl;
    const array = gl.createVertexArray();
    const instances = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh);
    for (const place of [0, 1]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, place * 12);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (const place of [2, 3, 4]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 4, gl.FLOAT, false, INSTANCE * 4, (place - 2) * 16);
      gl.vertexAttribDivisor(place, 1);
    }
    // All cubes are cubes.
    gl.vertexAttrib4f(5, 1, 1, 1, 1);
    return { array, instances };
  }
}

/** Corners and normals of the cube from -1 to 1, counter-clockwise from outside. The top comes first: it also draws the floor. */
function cube(): Float32Array {
  const numbers: number[] = [];
  for (const axis of [2, 0, 1]) {
    for (const sign of [1, -1]) {
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const corner = [0, 0, 0];
        const normal = [0, 0, 0];
        corner[axis] = normal[axis] = sign;
        corner[(axis + 1) % 3] = a;
        corner[(axis + 2) % 3] = b * sign;
        numbers.push(...corner, ...normal);
      }
    }
  }
  return new Float32Array(numbers);
}
