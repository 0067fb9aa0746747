import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'
import { isLocal, webAddress } from './web-address.ts'

test.each([
  [['Grades', 'CS101'], 'Grades CS101.xlsx'],
  [['كشف', null, undefined, '', 'م'], 'كشف م.xlsx'],
  [['a/b\\c:d*e?f"g<h>i|j'], 'a-b-c-d-e-f-g-h-i-j.xlsx'],
  [['../../etc/passwd'], '..-..-etc-passwd.xlsx'],
])('a file called %j', (parts, expected) => expect(fileName('xlsx', ...parts)).toBe(expected))

test.each(['localhost', '127.0.0.1', '127.9.8.7', '::1', '[::1]'])('%s is this machine', (host) =>
  expect(isLocal(host)).toBe(true),
)
test.each([
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '0.0.0.0',
  '10.0.0.1',
  '128.0.0.1',
  'xlocalhost',
  '::2',
])('%s is not', (host) => expect(isLocal(host)).toBe(false))

test.each([
  ['https://u.example', true],
  ['https://u.example:8443/a?b#c', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000/a', true],
  ['http://u.example', false],
  ['ftp://localhost', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['u.example', false],
  ['', false],
])('%s can be asked: %s', (address, expected) => expect(webAddress.safeParse(address).success).toBe(expected))
