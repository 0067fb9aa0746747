import { expect, test } from 'vitest'
import { leaves, noteTabs } from './unsaved.ts'

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'https://university.example')
  return { pathname, search }
}

test.each([
  ['/students/1', '/students/2', true],
  // What a tab holds goes with it, in whichever direction, and by Back as well.
  ['/students/1', '/students/1?tab=contact', true],
  ['/students/1?tab=contact', '/students/1', true],
  ['/students/1?tab=contact&page=2', '/students/1?tab=contact&page=3', false],
  ['/offerings?filters=x', '/offerings', false],
])('%s to %s', (from, next, left) => expect(leaves(at(from), at(next))).toBe(left))

test('tabs of another name are known once they were drawn', () => {
  const [from, next] = [at('/bylaws/1?part=a'), at('/bylaws/1?part=b')]
  expect(leaves(from, next)).toBe(false)
  noteTabs('part')
  expect(leaves(from, next)).toBe(true)
})
