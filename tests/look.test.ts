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

/**
 * Forms that are not the kit's `Form`, by why: it keeps drafts, tells rules beside the field and links to what is wrong.
 * A new form is the kit's; a new line here needs a reason that holds.
 */
const BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'what is secret is never kept as a draft, and the browser fills it in': [
    'areas/records/students/shares/shared.web.tsx',
    'kit/web/app/pages/profile.tsx',
    'kit/web/app/pages/public.tsx',
    'kit/web/app/pages/sign-in.tsx',
    'kit/web/auth/again-dialog.tsx',
    'kit/web/auth/proof-dialog.tsx',
    'kit/web/second-factor/name-passkey.tsx',
    'kit/web/second-factor/second-step.tsx',
    'kit/web/second-factor/setup.tsx',
  ],
  'finds something or takes what is scanned: nothing is filled in': [
    'areas/enrolment/registration/desk/parts.web.tsx',
    'areas/exams/exam-days/find-student.web.tsx',
    'areas/money/transactions/desk/desk.web.tsx',
    'areas/records/grading/barcodes/barcodes.web.tsx',
    'areas/records/grading/barcodes/exams.web.tsx',
    'kit/web/app/pages/verify.tsx',
  ],
  'one step on what is there: a choice, a figure, a reason, and `Submit` that says what is missing': [
    'areas/common/settings/development/development.web.tsx',
    'areas/common/settings/notice-texts/notice-texts.web.tsx',
    'areas/enrolment/registration/advising/advisors.web.tsx',
    'areas/enrolment/registration/records/bulk.web.tsx',
    'areas/enrolment/registration/records/status.web.tsx',
    'areas/exams/exams/publishing/publish.web.tsx',
    'areas/money/transactions/desk/drawer.web.tsx',
    'areas/money/transactions/desk/payer.web.tsx',
    'areas/money/transactions/moves/detail.web.tsx',
    'areas/money/transactions/moves/wallet-dialog.web.tsx',
    'areas/money/transactions/slips/enter.web.tsx',
    'areas/money/transactions/slips/upload.web.tsx',
    'areas/office/archive/browse/dialogs.web.tsx',
    'areas/people/conversation/chats/people.web.tsx',
    'areas/people/conversation/composer.web.tsx',
    'areas/people/conversation/tickets/move.web.tsx',
    'areas/records/grading/rechecks/ask.web.tsx',
    'areas/records/grading/rechecks/review.web.tsx',
    'areas/records/grading/terms/student.web.tsx',
    'areas/records/students/tags/tags-dialog.web.tsx',
    'areas/study/catalogue/programs/plan-dialogs.web.tsx',
    'areas/study/offerings/slots/generate.web.tsx',
    'kit/web/feedback/dialog-view.tsx',
    'kit/web/list/save-view-dialog.tsx',
    'kit/web/workflow/reason-form.tsx',
  ],
  'the form of the kit itself': ['kit/web/form/form.tsx'],
}

test('a form is the one of the kit; those written by hand are few, and each says why', () => {
  const written = files('{kit/web,areas,access,apps/web}/**/*.tsx').filter(
    (file) => !file.endsWith('.test.tsx') && /<form\b/.test(read(file)),
  )
  expect(written).toEqual(Object.values(BY_HAND).flat().toSorted())
  // What takes a step says what is missing, marks it, and takes the keyboard there.
  const steps = Object.entries(BY_HAND).find(([why]) => why.startsWith('one step'))![1]
  expect(steps.filter((file) => !read(file).includes('<Submit'))).toEqual([])
})
