/** Texts of banks in the encodings that they use. */

export const ENCODINGS = ['utf-8', 'windows-1256', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Which encoding bytes are in: by their mark, as UTF-8 where they are, else Arabic or Latin by what stands together. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // Without a mark: of a text with Latin letters, digits and signs nearly every second byte is nothing.
  const some = bytes.subarray(0, 2000)
  const nothing = [0, 0]
  for (const [i, byte] of some.entries()) if (byte === 0) nothing[i % 2]!++
  if (nothing[1]! > some.length / 6 && nothing[0]! < nothing[1]! / 10) return 'utf-16le'
  if (nothing[0]! > some.length / 6 && nothing[1]! < nothing[0]! / 10) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    // Words of Arabic have letters above 127 one after the other; words of Latin have one among others.
    let [runs, lone, run] = [0, 0, 0]
    for (const byte of bytes) {
      if (byte >= 0xc0) {
        run++
        continue
      }
      if (run >= 3) runs += run
      else lone += run
      run = 0
    }
    if (run >= 3) runs += run
    else lone += run
    return runs > lone ? 'windows-1256' : 'windows-1252'
  }
}

export const decoded = (bytes: Uint8Array, encoding: Encoding = encodingOf(bytes)): string =>
  new TextDecoder(encoding).decode(bytes)

/** What stands between the cells of a text: what splits its first lines most evenly. */
export function delimiterOf(text: string): ',' | ';' | '\t' | '|' {
  const lines = text
    .slice(0, 50_000)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 30)
  let best: { mark: ',' | ';' | '\t' | '|'; score: number } = { mark: ',', score: 0 }
  for (const mark of [',', ';', '\t', '|'] as const) {
    const counts = lines.map((line) => {
      let quoted = false
      let n = 0
      for (const c of line) {
        if (c === '"') quoted = !quoted
        else if (c === mark && !quoted) n++
      }
      return n
    })
    const often = new Map<number, number>()
    for (const n of counts) if (n > 0) often.set(n, (often.get(n) ?? 0) + 1)
    // So many lines that have as many of it; of equals, the one that makes more columns.
    const score = Math.max(0, ...[...often].map(([n, lines_]) => lines_ * 100 + Math.min(n, 50)))
    if (score > best.score) best = { mark, score }
  }
  return best.mark
}
