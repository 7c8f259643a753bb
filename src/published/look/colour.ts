/** A colour as people see it: lightness, chroma, hue. */
export interface Oklch {
  l: number
  c: number
  h: number
}

export type Rgb = readonly [number, number, number]

/** Parses `#rgb` or `#rrggbb`. */
export function readHex(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.slice(1).replace(/./g, '$&$&') : hex.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as unknown as Rgb
}

export function writeHex(rgb: Rgb): string {
  const digits = rgb.map((part) =>
    Math.round(Math.min(1, Math.max(0, part)) * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${digits.join('')}`
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const gamma = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

export function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = (Math.atan2(bb, a) * 180) / Math.PI
  return { l: lightness, c: Math.hypot(a, bb), h: hue < 0 ? hue + 360 : hue }
}

export function fromOklch({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const rgb: Rgb = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
  return rgb.map((part) => gamma(Math.min(1, Math.max(0, part)))) as unknown as Rgb
}

/** Returns the contrast of two colours (WCAG 2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map(linear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const white: Rgb = [1, 1, 1]
const ink: Rgb = [0.05, 0.06, 0.08]

/** A colour without a hue, of this lightness. */
export const grey = (l: number): Rgb => fromOklch({ l, c: 0, h: 0 })

/**
 * Returns a colour for text, as near to the chosen one as is readable on all of these: lighter or darker until the
 * contrast reaches 4.5.
 */
export function readable(chosen: Rgb, grounds: readonly Rgb[]): Rgb {
  const isRead = (rgb: Rgb) => grounds.every((ground) => contrast(rgb, ground) >= 4.5)
  if (isRead(chosen)) return chosen
  const colour = toOklch(chosen)
  for (let step = 0.01; step <= 1; step += 0.01) {
    for (const l of [colour.l + step, colour.l - step]) {
      // Checked in its written form: rounding must not lose a contrast that is only just enough.
      const near = readHex(writeHex(fromOklch({ ...colour, l: Math.min(1, Math.max(0, l)) })))
      if (isRead(near)) return near
    }
  }
  const worst = (rgb: Rgb) => Math.min(...grounds.map((ground) => contrast(rgb, ground)))
  return worst(white) > worst(ink) ? white : ink
}

/**
 * Returns a colour for filled buttons, and the one for text on it, as near to the chosen one as is readable: if neither
 * white nor near-black reaches a contrast of 4.5, the colour gets darker until white does.
 */
export function readableFill(hex: string): { fill: string; text: string } {
  const chosen = readHex(hex)
  if (contrast(chosen, white) >= 4.5) return { fill: writeHex(chosen), text: '#fff' }
  if (contrast(chosen, ink) >= 4.5) return { fill: writeHex(chosen), text: '#0d0f14' }
  const colour = toOklch(chosen)
  for (let l = colour.l; l > 0; l -= 0.01) {
    const darker = fromOklch({ ...colour, l })
    if (contrast(darker, white) >= 4.5) return { fill: writeHex(darker), text: '#fff' }
  }
  return { fill: '#000000', text: '#fff' }
}
