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

/** Forms written by hand, by why. A new form is one of the kit's; a new line here needs a reason that holds. */
const BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'the forms of the kit themselves': ['kit/web/form/form.tsx', 'kit/web/form/plain-form.tsx'],
  'a question that any press may ask: nothing is filled in but the number of those concerned, and it comes without what forms need':
    ['kit/web/feedback/dialog-view.tsx'],
  'a line of a conversation: Enter sends it, files are dropped on it and pasted into it': [
    'areas/people/conversation/composer.web.tsx',
  ],
  'words that are looked for: the address keeps them, and nothing is saved': [
    'areas/research/theses/repository/search.web.tsx',
  ],
  'papers one after the other: the Enter of a scanner takes one, and the field is empty for the next': [
    'areas/office/certificates/handing/desk.web.tsx',
  ],
  'papers one after the other: the Enter of a scanner reads one, that of the keyboard saves its mark': [
    'areas/records/grading/barcodes/barcodes.web.tsx',
  ],
}
/** Where `PlainForm` stands, which keeps nothing, by why nothing is to be kept. */
const KEEPS_NOTHING: Readonly<Record<string, readonly string[]>> = {
  'what is secret is never kept, and the browser fills it in': [
    'areas/admission/applicants/apply/begin.web.tsx',
    'areas/office/certificates/graduates/form.web.tsx',
    'areas/practice/logbook/confirm/pin-dialog.web.tsx',
    'areas/records/students/shares/shared.web.tsx',
    'kit/web/app/pages/profile.tsx',
    'kit/web/app/pages/public.tsx',
    'kit/web/app/pages/sign-in.tsx',
    'kit/web/auth/again-dialog.tsx',
    'kit/web/auth/proof-dialog.tsx',
    'kit/web/form/address-by-code.tsx',
    'kit/web/second-factor/name-passkey.tsx',
    'kit/web/second-factor/second-step.tsx',
    'kit/web/second-factor/setup.tsx',
  ],
  'answered by a link, by somebody without an account': [
    'areas/office/certificates/external/answer.web.tsx',
    'areas/practice/trainings/organisations/answer.web.tsx',
  ],
  'finds something: nothing is saved': [
    'areas/common/settings/development/development.web.tsx',
    'areas/exams/exam-days/find-student.web.tsx',
    'areas/money/transactions/desk/desk.web.tsx',
    'areas/records/grading/barcodes/exams.web.tsx',
    'kit/web/app/pages/verify.tsx',
  ],
  'money in the hand: the debts that are ticked and their sum, as they are now': [
    'areas/money/transactions/desk/payer.web.tsx',
  ],
}

test('a form is one of the kit; those written by hand are few, and each says why', () => {
  const screens = files('{kit/web,areas,access,apps/web}/**/*.tsx').filter((file) => !file.endsWith('.test.tsx'))
  const having = (element: RegExp) => screens.filter((file) => element.test(read(file)))
  expect(having(/^(?! \*).*<form\b/m)).toEqual(Object.values(BY_HAND).flat().toSorted())
  expect(having(/^(?! \*).*<PlainForm\b/m)).toEqual(Object.values(KEEPS_NOTHING).flat().toSorted())
  expect(having(/^(?! \*).*<Form$|<Form\s/m).length).toBeGreaterThan(45)
})

/** What screens put into a dialog or a form by hand. */
const INPUT =
  /^(?:TextInput|Textarea|Select|MultiSelect|\w*(?:Number|Lookup|Lookups|Money|Date|Time|Instant|File|Tags)(?:Input|Field))$/

/** Elements of a file by name, with what is written in their attributes. */
function elementsOf(file: string, wanted: RegExp) {
  const text = read(file)
  const found: { name: string; given: ReadonlyMap<string, string>; body: string; at: number }[] = []
  new Visitor({
    JSXElement({ openingElement, start, end }) {
      const written = (part: { readonly start: number; readonly end: number }) => text.slice(part.start, part.end)
      const name = written(openingElement.name)
      if (!wanted.test(name)) return
      const given = new Map(
        openingElement.attributes.flatMap((one) =>
          one.type === 'JSXAttribute' ? [[written(one.name), one.value ? written(one.value) : ''] as const] : [],
        ),
      )
      found.push({ name, given, body: text.slice(openingElement.end, end), at: start })
    },
  }).visit(parseSync(file, text).program)
  return found
}

/** What is written in a function at the top of a file. */
const functionIn = (text: string, name: string): string =>
  new RegExp(`^(?:export )?(?:default )?(?:async )?(?:function|const) ${name}\\b[\\s\\S]*?^\\}`, 'm').exec(text)?.[0] ??
  ''

/** Text of an element with that of the components in it, as far as they stand in the same file or beside it. */
function withParts(file: string, body: string, seen = new Set<string>()): string {
  const text = read(file)
  const own = [...body.matchAll(/<([A-Z]\w+)|\{(\w+)\(\)\}/g)].flatMap(([, component, part]) => component ?? part ?? [])
  const parts = own.flatMap((name) => {
    if (seen.has(name)) return []
    seen.add(name)
    const here =
      functionIn(text, name) || (new RegExp(`const ${name} = \\(\\) => \\{[\\s\\S]*?^  \\}`, 'm').exec(text)?.[0] ?? '')
    if (here) return [withParts(file, here, seen)]
    const from = new RegExp(`import (?:\\{[^}]*\\b${name}\\b[^}]*\\}|${name}) from '(\\.[^']+)'`).exec(text)?.[1]
    if (!from) return []
    const other = path.join(path.dirname(file), from)
    return other.endsWith('.tsx') ? [withParts(other, functionIn(read(other), name), seen)] : []
  })
  return [body, ...parts].join('\n')
}

/** Sends something. */
const SENDS = /<Submit\b|<Form\b|type="submit"|\bloading=/
/** A button that leads out of a dialog with nothing done. */
const OUT =
  /\bonCancel\b|'(?:cancel|keep_editing|leave_unsaved|back)'|<Button[^>]*variant="default"[^>]*onClick=\{(?:onClose|close)\}/
/** Dialogs that say something, whose one button is no answer to it. */
const NO_QUESTION = new Set([
  // What waits on the device is sent or left: a Cancel would sound as if it were thrown away.
  'kit/web/offline/waiting-dialog.tsx',
  // Shows the address of a calendar; what is pressed in it happens at once.
  'areas/study/scheduling/feeds/address.web.tsx',
])

test('a dialog in which something is sent has a button that leads out of it', () => {
  const screens = files('{kit/web,areas}/**/*.tsx').filter(
    (file) => !file.endsWith('.test.tsx') && /<(?:Modal|Dialog)\b/.test(read(file)),
  )
  const asking = screens.flatMap((file) =>
    elementsOf(file, /^(?:Modal|Dialog)$/).map(({ body, at }) => ({
      file,
      text: withParts(file, body),
      line: read(file).slice(0, at).split('\n').length,
    })),
  )
  const sending = asking.filter(({ text }) => SENDS.test(text))
  expect(sending.length).toBeGreaterThan(60)
  expect(
    sending
      .filter(({ file, text }) => !NO_QUESTION.has(file) && !OUT.test(text))
      .map(({ file, line }) => `${file}:${line}`),
  ).toEqual([])
})

/** Fields that are neither marked as optional nor told as missing, by why. */
const NEITHER: Readonly<Record<string, readonly string[]>> = {
  'begins with a value, and counts as its least while it is empty': [
    "areas/enrolment/registration/block/level.web.tsx say(['Level', 'المستوى'])",
    "areas/exams/exam-days/deliveries/list.web.tsx t(what === 'delivered' ? 'papers_out' : 'papers_in')",
    "areas/exams/exams/placement/panel.web.tsx t('seconds')",
    "areas/money/fees/settings/due-dates.web.tsx t('share')",
    "areas/money/fees/settings/fines.web.tsx say(['Amount', 'المبلغ'])",
    "areas/money/fees/settings/fines.web.tsx t('days_late')",
    "areas/money/fees/settings/fines.web.tsx t('share')",
    "areas/money/fees/settings/prices.web.tsx t('flat_amount')",
    "areas/money/fees/settings/prices.web.tsx t('flat_from')",
    "areas/money/fees/settings/prices.web.tsx t('flat_to')",
    "areas/money/fees/settings/year.web.tsx t('raise_by')",
    "areas/money/invoices/invoices/extra.web.tsx t(item.per === 'copy' ? 'extra_copies' : 'extra_count')",
    "areas/people/access-and-people/scim/directories.web.tsx t('directory_days')",
    "areas/practice/internship/plan/panel.web.tsx t('plan_seconds')",
    "areas/records/grading/barcodes/exams.web.tsx t('backup_barcodes')",
  ],
  'what is chosen is added to a list at once': [
    "areas/exams/exam-days/absences/hall.web.tsx t('scan_student')",
    "areas/money/invoices/invoices/extra.web.tsx t(chosen.length ? 'extra_another' : 'item')",
    "areas/office/archive/browse/dialogs.web.tsx t('access_add')",
  ],
  'finds something: nothing is filled in': [
    "areas/quality/course-files/files/from-archive.web.tsx t('archive_search')",
    "areas/records/grading/barcodes/exams.web.tsx t('offering')",
  ],
  'one of two is enough, or it is told under another name': [
    "areas/money/invoices/invoices/extra.web.tsx t(lang === 'ar' ? 'item_local' : 'item')",
    "areas/records/degree-audit/audits/runs.web.tsx t('audit_of_faculty')",
  ],
}

test('a field that may stay empty is marked so, any other is told while it is missing', () => {
  const screens = files('{kit/web,areas}/**/*.tsx').filter(
    (file) => !file.endsWith('.test.tsx') && read(file).includes('<Submit'),
  )
  let seen = 0
  const neither = screens.flatMap((file) => {
    const told = elementsOf(file, /^Submit$/)
      .map(({ given }) => given.get('missing'))
      .join('\n')
    return elementsOf(file, INPUT).flatMap(({ given }) => {
      const label = given
        .get('label')
        ?.replace(/^\{|\}$/g, '')
        .replaceAll(/\s+/g, ' ')
      if (!label || given.get('disabled') === '') return []
      seen++
      // What an empty one means stands in it: all.
      const means = /'(?:all|every_\w+|directory_no_role)'/.test(given.get('placeholder') ?? '')
      const marked = label.includes('<Optional') || given.has('required') || given.get('allowDeselect') === '{false}'
      return means || marked || told.replaceAll(/\s+/g, ' ').includes(label) ? [] : [`${file} ${label}`]
    })
  })
  expect(seen).toBeGreaterThan(80)
  expect([...new Set(neither)].toSorted()).toEqual(Object.values(NEITHER).flat().toSorted())
})

/** Lists of which the first are shown and the rest is told in another way. */
const TOLD_OTHERWISE: Readonly<Record<string, string>> = {
  'areas/enrolment/attendance/codes/show.web.tsx': 'who arrived last; how many in all stands above',
  'areas/enrolment/transfers/equivalence/outcome.web.tsx': 'the sentence says how many there are',
  'areas/money/banks/batches/reconciliation.web.tsx': 'the first stands for its statement',
  'kit/web/app/pages/home.tsx': 'news; a link leads to all',
  'kit/web/list/card-list.tsx': 'facts of a card, which opens',
  'kit/web/list/data-table.tsx': 'the rows drawn first; the rest follows by itself',
  'kit/web/shell/palette-entries.tsx': 'the palette leads to all',
  'kit/web/timetable/month-view.tsx': 'dots of a day, which opens',
}

test('what something is stands after its name as the language writes it: `withHeading`, not a colon between two values', () => {
  // What is only heard is not set: a name for those who do not see may have its colon as it is.
  const seen = (file: string) => read(file).replaceAll(/(?:aria-label|'aria-label')(?:=\{|: )`[^`]*`/g, '')
  const found = files('{kit/web,areas}/**/*.tsx').flatMap((file) =>
    [...seen(file).matchAll(/(?:\$?\{[^{}]+\}|\)\}): \$?\{[\w.[\]]+[^{}\n]*\}/g)]
      .map(([text]) => text)
      // The type of what a function is given.
      .filter((text) => !/^\{[^{}]*\}: \{(?!.*\()[^}]*: /.test(text) && !/: \{ /.test(text))
      .map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

test('a list that is cut says how many more there are', () => {
  const cut = files('{kit/web,areas}/**/*.tsx')
    .filter((file) => !file.endsWith('.test.tsx') && !(file in TOLD_OTHERWISE))
    .flatMap((file) =>
      [...read(file).matchAll(/\.slice\(0, ([A-Z_\d]+)\)\s*\.(?:map|flatMap)\(/g)]
        .filter(([, most]) => !new RegExp(`(?:>|-|===|>=|Math\\.min\\(|\\.slice\\()\\s*${most}\\b`).test(read(file)))
        .map(([, most]) => `${file}: the first ${most}`),
    )
  expect(cut).toEqual([])
  expect(Object.keys(TOLD_OTHERWISE).filter((file) => !read(file).includes('.slice(0, '))).toEqual([])
})

test('a dialog that is fetched late leaves the screen beneath as it is', () => {
  const wrong = files('{kit/web,areas}/**/*.tsx').filter((file) => {
    const text = read(file)
    return /const \w*Dialog = part\(/.test(text) && !text.includes('<Suspense')
  })
  expect(wrong).toEqual([])
})

test('a class that a screen uses is in the stylesheet that it takes it from', () => {
  const missing = files('{areas,kit}/**/*.tsx').flatMap((file) => {
    const text = read(file)
    return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)].flatMap(([whole, name, from]) => {
      const sheet = from!.startsWith('#') ? from!.slice(1) : path.join(path.dirname(file), from!)
      const known = new Set([...read(sheet).matchAll(/\.([A-Za-z_][\w-]*)/g)].map((found) => found[1]!))
      const used = [...text.replace(whole, '').matchAll(new RegExp(`\\b${name}\\.(\\w+)(?!\\.css)`, 'g'))]
      return used.flatMap(([, one]) => (known.has(one!) || one === 'module' ? [] : [`${file}: ${name}.${one}`]))
    })
  })
  expect([...new Set(missing)]).toEqual([])
})

test('what is printed across is a page of its own: a rule for all pages would also turn what is printed afterwards', () => {
  const turned = files('{kit/web,areas}/**/*.css').filter((file) =>
    /@page\s*\{[^}]*\bsize:[^;]*landscape/.test(read(file)),
  )
  expect(turned).toEqual([])
})
