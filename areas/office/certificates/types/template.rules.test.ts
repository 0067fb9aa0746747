import { expect, test } from 'vitest'
import { changedWords, templateParts } from './template.rules.ts'

test.each([
  ['', []],
  ['plain', [{ text: 'plain' }]],
  ['{name}', [{ place: 'name' }]],
  [
    'A {name} of {faculty}.',
    [{ text: 'A ' }, { place: 'name' }, { text: ' of ' }, { place: 'faculty' }, { text: '.' }],
  ],
  ['{name}{code}', [{ place: 'name' }, { place: 'code' }]],
  // What nothing fills stays text, so that it can be mended.
  ['{nmae} {name}', [{ text: '{nmae} ' }, { place: 'name' }]],
  ['{name', [{ text: '{name' }]],
  ['{{name}}', [{ text: '{' }, { place: 'name' }, { text: '}' }]],
  ['يدرس {name}\nبكلية', [{ text: 'يدرس ' }, { place: 'name' }, { text: '\nبكلية' }]],
])('parts of %j', (text, parts) => {
  expect(templateParts(text)).toEqual(parts)
  expect(
    templateParts(text)
      .map((one) => ('text' in one ? one.text : `{${one.place}}`))
      .join(''),
  ).toBe(text)
})

const said = (before: string, after: string) =>
  changedWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `[+${text}+]`))
    .join('')
test.each([
  ['a b c', 'a b c', 'a b c'],
  ['', 'new text', '[+new text+]'],
  ['old', '', '[-old-]'],
  ['{name} studies', '{name} learns', '{name} [-studies-][+learns+]'],
  ['{name} studies', '{name} studies here', '{name} studies [+here+]'],
  ['of {faculty}.', 'of {program}.', 'of [-{faculty}-][+{program}+].'],
  ['one two three', 'one three', 'one [-two -]three'],
  ['يدرس {name} بكلية', 'تدرس {name} بكلية', '[-يدرس -][+تدرس +]{name} بكلية'],
])('from %j to %j', (before, after, changed) => {
  expect(said(before, after)).toBe(changed)
})
