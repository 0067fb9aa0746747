/** Text of a file in whatever encoding programs write: UTF-8, UTF-16, else Western or Arabic Windows. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const as = (encoding: string, fatal = false) => new TextDecoder(encoding, { fatal }).decode(bytes)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[1] === 0 && bytes[0] !== 0))
    return { text: as('utf-16le'), encoding: 'UTF-16' }
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] !== 0))
    return { text: as('utf-16be'), encoding: 'UTF-16' }
  try {
    return { text: as('utf-8', true), encoding: 'UTF-8' }
  } catch {
    const arabic = as('windows-1256')
    // Arabic letters in words, and not one here and there as accents read so would be.
    return /\p{Script=Arabic}{3}/u.test(arabic)
      ? { text: arabic, encoding: 'Windows-1256' }
      : { text: as('windows-1252'), encoding: 'Windows-1252' }
  }
}
