import { EXAM_KINDS } from '#areas/common/academics/exam-words.contract.ts'
import { crud } from '#access/permissions.contract.ts'
import { decimal, f, id, lookup, ref, resource } from '#kit/contract/index.ts'
import { z } from 'zod'

/** What a mark is given for: year work, midterm, practical, final exam. */
export const markCategory = lookup('markCategory', {
  name: 'mark_category',
  path: '/mark-categories',
  one: ['Mark category', 'بند درجات'],
  many: ['Mark categories', 'بنود الدرجات'],
  adding: ['Add mark category', 'إضافة بند درجات'],
  editing: ['Edit mark category', 'تعديل بند درجات'],
  fields: {
    // Everybody who may look sees all; who changes one must reach its bylaw (see marks.server.ts).
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', {
      help: ['Empty: for every bylaw.', 'اتركه فارغًا ليصلح لكل اللوائح.'],
    }),
    is_final_exam: f.flag(['Final exam', 'الاختبار النهائي'], {
      help: [
        'Under the minimum of the bylaw in it the course is failed.',
        'من يقل فيه عن الحد الأدنى باللائحة يرسب في المقرر.',
      ],
    }),
    exam_kind: f.choice(
      ['Exam', 'الامتحان'],
      EXAM_KINDS.filter(({ value }) => value !== 'final'),
      {
        help: [
          'Marks are given for this exam: who is recorded as absent from it is absent here.',
          'تُرصد درجات هذا الامتحان: من يُسجل غيابه عنه يكون غائبًا هنا.',
        ],
      },
    ),
  },
  exportName: 'mark categories',
  screens: {
    list: '/management/markCategories',
    add: '/management/markCategories/add',
    edit: '/management/markCategories/edit/:id',
  },
  menu: { group: 'catalogue', order: 72, icon: 'category', setup: true },
})

/** One category of a mark scheme and its maximum; `category` is answered, not taken. */
export const markSchemeItem = z.strictObject({
  mark_category_id: id,
  max: decimal(2, 0.01, 999),
  category: ref.extend({ is_final_exam: z.boolean() }).optional(),
})
export type SchemeItem = z.output<typeof markSchemeItem>
export const schemeItems = z.array(markSchemeItem).min(1).max(20)

/** A named mark scheme, from which offerings take theirs: categories whose maxima sum to exactly 100. */
export const mark = resource({
  name: 'mark',
  path: '/marks',
  table: 'marks',
  one: ['Mark scheme', 'توزيع درجات'],
  many: ['Mark schemes', 'توزيعات الدرجات'],
  adding: ['Add mark scheme', 'إضافة توزيع درجات'],
  editing: ['Edit mark scheme', 'تعديل توزيع درجات'],
  permissions: { ...crud('mark'), import: null },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.text(['Mark name', 'اسم الدرجة'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', {
      help: ['Empty: for every bylaw.', 'اتركه فارغًا ليصلح لكل اللوائح.'],
    }),
    items: f.json(['Categories', 'البنود'], schemeItems, {
      required: true,
      noExport: true,
      help: ['The maxima sum to exactly 100.', 'مجموع النهايات العظمى 100 تمامًا.'],
    }),
    offerings: f.integer(['Offerings', 'المقررات المطروحة'], { readOnly: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'bylaw_id', 'items', 'offerings'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'bylaw_id', 'offerings'],
    filters: ['bylaw_id'],
    order: ['code', 'asc'],
  },
  exportName: 'marks',
  softDelete: true,
  screens: { list: '/management/marks', add: '/management/marks/add', edit: '/management/marks/edit/:id' },
  menu: { group: 'catalogue', order: 70, icon: 'chart-pie', setup: true },
})
