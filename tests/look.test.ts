/** What every style sheet and every screen keeps to, whoever writes it. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Visitor, parseSync } from 'vite'
import { expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
const files = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).toSorted()
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

test('no text is smaller than 12 px', () => {
  const sheets = files('{kit/web,areas}/**/*.css')
  expect(sheets.length).toBeGreaterThan(30)
  const small = sheets.flatMap((file) =>
    [...read(file).matchAll(/font(?:-size)?:[^;]*?\b(\d+(?:\.\d+)?)px/g)]
      .filter(([, size]) => Number(size) < 12)
      .map(([text]) => `${file}: ${text}`),
  )
  expect(small).toEqual([])
})

test('a bar that waits with Save is marked, so that nothing at the end of the window covers it', () => {
  const screens = files('{kit/web,areas}/**/*.tsx').filter((file) => read(file).includes("'unsaved_changes')}"))
  expect(screens.length).toBeGreaterThan(2)
  expect(screens.filter((file) => !read(file).includes('data-save-bar'))).toEqual([])
})

test('one dash: where nothing is known stands an en dash, and no text holds an em dash', () => {
  const written = [...files('{kit,areas}/**/*.{ts,tsx}'), ...files('locales/*/*.json')].filter(
    (file) => !/\.test\.tsx?$/.test(file),
  )
  // Comments are for those who write the program.
  const code = (file: string): string =>
    file.endsWith('.json') ? read(file) : read(file).replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, '')
  expect(written.filter((file) => code(file).includes('\u2014'))).toEqual([])
})

/** The buttons of a screen that send something, by what stands in their `disabled`. */
function disabledSenders(file: string): string[] {
  const text = read(file)
  const found: string[] = []
  new Visitor({
    JSXOpeningElement(element) {
      const written = (part: { readonly start: number; readonly end: number }) => text.slice(part.start, part.end)
      if (written(element.name) !== 'Button') return
      const given = new Map(
        element.attributes.flatMap((one) =>
          one.type === 'JSXAttribute' ? [[written(one.name), one.value ? written(one.value) : ''] as const] : [],
        ),
      )
      if (!given.has('loading') && given.get('type') !== '"submit"') return
      const disabled = given.get('disabled')
      if (disabled !== undefined && disabled !== '{busy}')
        found.push(`${file}:${text.slice(0, element.start).split('\n').length} ${disabled.replaceAll(/\s+/g, ' ')}`)
    },
  }).visit(parseSync(file, text).program)
  return found
}

test('a button that sends is never greyed: `Submit` says what is missing', () => {
  const screens = files('{kit/web,areas}/**/*.tsx')
  expect(screens.filter((file) => read(file).includes('<Submit')).length).toBeGreaterThan(50)
  expect(screens.flatMap(disabledSenders)).toEqual([])
})
