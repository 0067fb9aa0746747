import { expect, test } from 'vitest'
import { openedBy } from './address.ts'

const PATHS = ['/apply/:type?', '/apply/:type/:id', '/apply/:id/success', '/qr_code/:code?', '/edit/:id/:key/:name?']

test.each([
  ['/apply', '/apply/:type?', {}],
  ['/apply/', '/apply/:type?', {}],
  ['/apply/1', '/apply/:type?', { type: '1' }],
  ['/apply/1/2', '/apply/:type/:id', { type: '1', id: '2' }],
  // A word comes before a place, wherever the two stand in the list.
  ['/apply/7/success', '/apply/:id/success', { id: '7' }],
  ['/edit/7/abc', '/edit/:id/:key/:name?', { id: '7', key: 'abc' }],
  ['/edit/7/abc/documents', '/edit/:id/:key/:name?', { id: '7', key: 'abc', name: 'documents' }],
  ['/qr_code/%D8%B9', '/qr_code/:code?', { code: 'ع' }],
  // What is no encoding stays as it stands.
  ['/qr_code/%D8%', '/qr_code/:code?', { code: '%D8%' }],
])('%s opens %s', (address, path, params) => {
  expect(openedBy(PATHS, address)).toEqual({ path, params })
})

test.each(['/', '/applying', '/edit/7', '/edit/7/abc/documents/more', '/login'])('%s opens none of them', (address) => {
  expect(openedBy(PATHS, address)).toBeNull()
})
