/** Colour arithmetic for the one accent a university chooses. All channels 0..1 unless told. */

type Rgb = readonly [number, number, number]

const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const toGamma = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)

/** `#rrggbb` or `#rgb`; null when it is not a colour. */
export function parseHex(hex: string): Rgb | null {
  const short = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(hex.trim())
  const long = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim())
  const parts = short ? short.slice(1).map((p) => p + p) : long?.slice(1)
  return parts ? (parts.map((p) => Number.parseInt(p, 16) / 255) as unknown as Rgb) : null
}
const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((c) =>
      Math.round(Math.min(1, Math.max(0, c)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Relative luminance of WCAG 2. */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b)
/** Contrast of two colours by WCAG 2: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(parseHex(a)!), luminance(parseHex(b)!)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Lightness, chroma and hue in OKLCH, in which equal steps look equal. */
function toOklch(rgb: Rgb): [number, number, number] {
  const [r, g, b] = rgb.map(toLinear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(A, B), Math.atan2(B, A)]
}
function fromOklch(L: number, C: number, h: number): string {
  for (let chroma = C; ; chroma -= 0.004) {
    const [A, B] = [chroma * Math.cos(h), chroma * Math.sin(h)]
    const l = (L + 0.3963377774 * A + 0.2158037573 * B) ** 3
    const m = (L - 0.1055613458 * A - 0.0638541728 * B) ** 3
    const s = (L - 0.0894841775 * A - 1.291485548 * B) ** 3
    const rgb: Rgb = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ]
    // Outside what a screen shows: less chroma keeps lightness and hue true.
    if (chroma <= 0 || rgb.every((c) => c > -0.0005 && c < 1.0005))
      return toHex(rgb.map((c) => toGamma(Math.max(0, c))) as unknown as Rgb)
  }
}

const LIGHTNESS = [0.972, 0.942, 0.887, 0.815, 0.725, 0.63] as const
const CHROMA = [0.14, 0.25, 0.45, 0.68, 0.88, 1, 1, 0.95, 0.85, 0.72] as const

export type Scale = readonly [string, string, string, string, string, string, string, string, string, string]

/**
 * Ten steps of a colour, light to dark, with its hue. Step 6 is as near to the given colour as white text on it allows
 * (4.6 : 1, AA for text), whatever a university chose; 7 to 9 are darker for text on tinted grounds.
 */
export function scaleOf(hex: string): Scale {
  const [L, C, h] = toOklch(parseHex(hex) ?? parseHex('#2f5fb3')!)
  // Nearly black leaves no room for the darker steps, nearly white none for text.
  let solid = Math.min(Math.max(L, 0.32), 0.6)
  while (solid > 0.3 && contrast(fromOklch(solid, C, h), '#ffffff') < 4.6) solid -= 0.005
  const steps = [...LIGHTNESS.map((l) => Math.max(l, solid + 0.03)), solid, solid - 0.06, solid - 0.115, solid - 0.165]
  return steps.map((l, i) => fromOklch(l, C * CHROMA[i]!, h)) as unknown as Scale
}
