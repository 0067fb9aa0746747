import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The text of a PDF as `pdftotext` reads it; null where that is not installed. By layout: read as prose, a "B-" at the end of a line is a word cut in two, and loses its hyphen. */
export async function textOfPdf(pdf: Uint8Array): Promise<string | null> {
  const child = spawn('pdftotext', ['-layout', '-enc', 'UTF-8', '-', '-'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.stdin.on('error', () => {})
  try {
    child.stdin.end(pdf)
    const [code] = (await once(child, 'close')) as [number | null]
    return code === 0 ? Buffer.concat(parts).toString() : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
