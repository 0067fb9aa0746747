import { expect, test } from 'vitest'
import { pixelsOf, signedLines } from './signed.ts'

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(24)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('the size of a picture is read without unpacking it', () => {
  expect(pixelsOf(png(600, 200))).toEqual({ width: 600, height: 200 })
  expect(pixelsOf(png(600, 200).subarray(0, 23))).toBe(null)
  // A table before the frame.
  const jpeg = Buffer.from('ffd8ffc400040000ffc2001108012c0258030122000000', 'hex')
  expect(pixelsOf(jpeg)).toEqual({ width: 600, height: 300 })
  expect(pixelsOf(jpeg.subarray(0, 12))).toBe(null)
  expect(pixelsOf(Buffer.from('ffd8ffffffff', 'hex'))).toBe(null)
  expect(pixelsOf(Buffer.from('GIF89a'))).toBe(null)
})

test('each signature names its own picture', () => {
  const names = (name: string) => ({ name, name_local: `${name} ع` })
  const content = png(1, 1)
  const line = (picture: Parameters<typeof signedLines>[0][number]['picture']) => ({
    position: names('Dean'),
    name: names('A'),
    on: '2026-01-02',
    ...(picture !== undefined && { picture }),
  })
  const { lines, files } = signedLines([line(undefined), line({ ext: 'png', content }), line(null)], 'ar')
  expect(lines.map(({ picture }) => picture)).toEqual([null, 'signature-2.png', null])
  expect(lines[1]).toMatchObject({ label: 'Dean ع', name: 'A ع', on: '2026-01-02' })
  expect(files).toEqual({ 'signature-2.png': content })
})
