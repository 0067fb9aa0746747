import { expect, test } from 'vitest'
import { f } from '#kit/contract/field.ts'
import type { Label } from '#kit/contract/words.ts'
import { calledIn } from './called.ts'

const hold = {
  one: ['Hold', 'إيقاف'] as Label,
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student'),
    term_id: f.lookup(['Term', 'الفصل'], 'term'),
    why: f.text(['Why', 'لماذا']),
  },
}
const say = ([en]: Label) => en

test('a row is called by its name, else by what it is and whom it is about, never by its number', () => {
  expect(calledIn(hold, { id: 7, name: 'Library', name_local: 'المكتبة' }, say)).toBe('Library')
  expect(calledIn(hold, { id: 7, student: { id: 1, name: 'Sara Ali' }, term: { id: 2, name: 'Fall' } }, say)).toBe(
    'Hold · Sara Ali · Fall',
  )
  expect(calledIn(hold, { id: 7, student: null }, say)).toBe('Hold')
  expect(calledIn(hold, { id: 7, why: 'Owes a book' }, say, (row: { why: string }) => row.why)).toBe('Owes a book')
})
