import { create } from 'qrcode'

/** Modules of white around the code, which scanners need. */
const MARGIN = 4

/** A QR code as a path of squares of one unit, in a square of `size` units, margin included. */
export function qrModules(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  let path = ''
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (data[y * size + x]) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`
  return { size: size + 2 * MARGIN, path }
}

/** A QR code on white ground, with the margin that scanners need. */
export function qrImage(text: string): Uint8Array {
  const { size, path } = qrModules(text)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`,
  )
}
