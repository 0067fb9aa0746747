import { call, f, inputSchema, lookup, rowSchema } from '#kit/contract/index.ts'
import type { ChipColour } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Colours of a tag; what its chip looks like is the kit's. */
const COLOURS = [
  { value: 'grey', label: ['Grey', 'رمادي'] },
  { value: 'red', label: ['Red', 'أحمر'] },
  { value: 'orange', label: ['Orange', 'برتقالي'] },
  { value: 'yellow', label: ['Yellow', 'أصفر'] },
  { value: 'green', label: ['Green', 'أخضر'] },
  { value: 'teal', label: ['Teal', 'فيروزي'] },
  { value: 'blue', label: ['Blue', 'أزرق'] },
  { value: 'violet', label: ['Violet', 'بنفسجي'] },
  { value: 'pink', label: ['Pink', 'وردي'] },
] as const satisfies readonly { value: ChipColour; label: readonly [string, string] }[]

/** A word that staff put on records to find them again. */
export const tag = lookup('tag', {
  path: '/tags',
  one: ['Tag', 'وسم'],
  many: ['Tags', 'الوسوم'],
  adding: ['Add tag', 'إضافة وسم'],
  editing: ['Edit tag', 'تعديل وسم'],
  fields: { colour: f.choice(['Colour', 'اللون'], COLOURS, { required: true }) },
  menu: { group: 'people', order: 60, icon: 'tag', setup: true },
  plain: false,
})

/** The documents' own paths for adding and changing a tag; they do what the paths of every resource do. */
export const tagCalls = {
  createTag: call('POST', '/tags/create', {
    permission: 'add_tag',
    summary: ['Add a tag', 'إضافة وسم'],
    body: inputSchema(tag, 'create'),
    response: z.object({ data: rowSchema(tag, 'detail') }),
  }),
  changeTag: call('POST', '/tags/create/{id}', {
    permission: 'edit_tag',
    summary: ['Change a tag', 'تعديل وسم'],
    body: inputSchema(tag, 'update'),
    response: z.object({ data: rowSchema(tag, 'detail') }),
  }),
}
