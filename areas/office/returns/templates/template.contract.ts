import { z } from 'zod'
import { call, f, id, lookup, ref, safeText } from '#kit/contract/index.ts'

const PATH = '/return-templates'
/** A ministry's sheet: every upload is an edition of it. */
export const returnTemplate = lookup('returnTemplate', {
  path: PATH,
  one: ['Template of a return', 'نموذج إحصاء'],
  many: ['Templates of returns', 'نماذج الإحصاءات'],
  adding: ['Add a template', 'إضافة نموذج'],
  editing: ['Edit a template', 'تعديل نموذج'],
  permissions: { import: null },
  fields: {
    authority: f.text(['Sent to', 'الجهة المرسل إليها'], { max: 200 }),
    threshold: f.integer(['Look at changes of more than (percent)', 'راجع التغيّر الذي يتجاوز (بالمئة)'], {
      min: 1,
      max: 1000,
      help: [
        'Against the last return that was sent. Empty: changes are not looked at.',
        'مقارنةً بآخر إحصاء أُرسل. اتركه فارغًا لتجاهل التغيّر.',
      ],
    }),
    edition: f.integer(['Edition of the sheet', 'إصدار الملف'], { readOnly: true }),
  },
  list: { columns: ['code', 'name', 'name_local', 'authority', 'edition'], filters: [] },
  exportName: 'Templates of returns',
  screens: { show: `${PATH}/:id`, add: `${PATH}/add`, edit: `${PATH}/edit/:id` },
  parent: '/statistical-returns',
})

const cellRef = z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,4}$/)
export const shownCell = z.object({
  cell: cellRef,
  text: z.string(),
  /** How many columns and rows it takes, where it is several in one. */
  columns: z.int(),
  rows: z.int(),
  kind: z.enum(['text', 'number', 'formula', 'empty']),
})
export type ShownCell = z.output<typeof shownCell>
/** A sheet as it is shown: its first rows and columns. */
export const shownSheet = z.object({
  name: z.string(),
  rtl: z.boolean(),
  rows: z.array(z.array(shownCell)),
  /** Rows and columns there are, shown or not. */
  height: z.int(),
  width: z.int(),
})
export type ShownSheet = z.output<typeof shownSheet>
export const cellMistake = z.object({
  kind: z.enum(['broken', 'measure', 'filter', 'code']),
  data: z.record(z.string(), z.string()),
})
const template = z.object({
  edition: z.object({ id, number: z.int(), at: z.string(), by: ref.nullable(), name: z.string() }),
  sheets: z.array(shownSheet),
  cells: z.array(
    z.object({
      sheet: z.string(),
      cell: cellRef,
      text: z.string(),
      mistake: cellMistake.nullable(),
    }),
  ),
})
export type ShownTemplate = z.output<typeof template>
const made = z.object({ data: z.object({ edition_id: id, number: z.int(), mistakes: z.int() }) })

export const templateCalls = {
  upload: call('PUT', `${PATH}/{id}/sheet`, {
    permission: 'edit_returnTemplate',
    summary: ['Upload the sheet of a template as a new edition', 'رفع ملف نموذج كإصدار جديد'],
    upload: { field: 'file', accept: ['xlsx'], called: 'XLSX', maxMB: 10 },
    response: made,
  }),
  show: call('GET', `${PATH}/{id}/sheet`, {
    permission: 'show_returnTemplate',
    summary: ['The sheet of a template with what its cells ask for', 'ملف النموذج وما تطلبه خلاياه'],
    response: z.object({ data: template.nullable() }),
  }),
  setCell: call('POST', `${PATH}/{id}/cell`, {
    permission: 'edit_returnTemplate',
    summary: ['Say what a cell of a template asks for, as a new edition', 'تحديد ما تطلبه خلية في النموذج كإصدار جديد'],
    body: z.strictObject({
      /** The edition that was looked at. */
      edition_id: id,
      sheet: z.string().min(1).max(31),
      cell: cellRef,
      text: safeText(500),
    }),
    response: made,
    example: { edition_id: 1, sheet: 'Students', cell: 'B5', text: '{{students|faculty=ENG}}' },
  }),
  file: call('GET', `${PATH}/{id}/file`, {
    permission: 'show_returnTemplate',
    summary: ['The newest sheet of a template', 'أحدث ملف للنموذج'],
    file: { name: 'Template.xlsx', type: 'xlsx' },
  }),
}
