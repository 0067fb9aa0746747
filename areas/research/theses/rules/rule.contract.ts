import { crud } from '#access/permissions.contract.ts'
import { f, lookup, resource } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'

const months = (label: Label, min: number, max: number) => f.integer(label, { required: true, min, max })
/** What a bylaw asks of theses: the clock, the committee, what has to be there before the discussion. */
export const thesisRule = resource({
  name: 'thesisRule',
  path: '/thesis-rules',
  table: 'thesis_rules',
  one: ['Rules of theses', 'قواعد الرسائل'],
  many: ['Rules of theses', 'قواعد الرسائل'],
  adding: ['Add rules of a bylaw', 'إضافة قواعد لائحة'],
  editing: ['Edit rules of theses', 'تعديل قواعد الرسائل'],
  permissions: { ...crud('thesisRule'), restore: null, import: null },
  scope: ['faculty', 'bylaw'],
  fields: {
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { required: true, createOnly: true }),
    approve_months: months(['Approved within, months', 'الاعتماد خلال (شهور)'], 1, 36),
    min_months: months(['Discussed after, months', 'المناقشة بعد (شهور)'], 0, 60),
    max_months: months(['Discussed within, months', 'المناقشة خلال (شهور)'], 1, 120),
    extension_months: months(['One extension, months', 'مدة المد الواحد (شهور)'], 1, 24),
    max_extensions: months(['Extensions', 'عدد مرات المد'], 0, 10),
    report_months: months(['Report every, months', 'تقرير كل (شهور)'], 1, 24),
    min_seminars: months(['Seminars', 'السيمينارات'], 0, 20),
    min_publications: months(['Publications', 'الأبحاث المنشورة'], 0, 20),
    needs_language: f.flag(['Proof of a language', 'إثبات لغة أجنبية']),
    max_similarity: f.decimal(['Most similarity, percent', 'الحد الأقصى للاقتباس (%)'], {
      required: true,
      places: 1,
      max: 100,
    }),
    min_committee: months(['Committee, persons', 'أعضاء لجنة الحكم'], 2, 9),
    min_external: months(['Of them from elsewhere', 'منهم من خارج الجامعة'], 0, 5),
    max_supervised: months(['Theses of one supervisor', 'رسائل المشرف الواحد'], 1, 100),
  },
  list: {
    columns: [
      'bylaw_id',
      'approve_months',
      'min_months',
      'max_months',
      'max_extensions',
      'min_committee',
      'min_external',
    ],
    search: [],
    sort: ['max_months'],
    filters: ['bylaw_id'],
    order: ['max_months', 'asc'],
  },
  sections: [
    {
      title: ['Periods', 'المدد'],
      fields: [
        'bylaw_id',
        'approve_months',
        'min_months',
        'max_months',
        'extension_months',
        'max_extensions',
        'report_months',
      ],
    },
    {
      title: ['Before the discussion', 'قبل المناقشة'],
      fields: ['min_seminars', 'min_publications', 'needs_language', 'max_similarity'],
    },
    { title: ['People', 'الأشخاص'], fields: ['min_committee', 'min_external', 'max_supervised'] },
  ],
  exportName: 'Rules of theses',
  // The other bylaws of the demo university have theirs.
  examples: [
    {
      bylaw_id: 1,
      approve_months: 6,
      min_months: 6,
      max_months: 36,
      extension_months: 6,
      max_extensions: 2,
      report_months: 6,
      min_seminars: 1,
      min_publications: 0,
      max_similarity: '25.0',
      min_committee: 3,
      min_external: 1,
      max_supervised: 10,
    },
  ],
  plain: true,
  softDelete: false,
  screens: {
    list: '/thesis-rules',
    show: '/thesis-rules/:id',
    add: '/thesis-rules/add',
    edit: '/thesis-rules/edit/:id',
  },
  menu: { group: 'catalogue', order: 95, icon: 'clock-edit', setup: true },
})

/** Who examines for another university. */
export const externalExaminer = lookup('externalExaminer', {
  path: '/external-examiners',
  one: ['External examiner', 'ممتحن خارجي'],
  many: ['External examiners', 'الممتحنون الخارجيون'],
  adding: ['Add an external examiner', 'إضافة ممتحن خارجي'],
  editing: ['Edit an external examiner', 'تعديل ممتحن خارجي'],
  fields: {
    university: f.text(['University', 'الجامعة'], { required: true }),
    academic_title: f.choice(
      ['Academic title', 'الدرجة الأكاديمية'],
      [
        { value: 'professor', label: ['Professor', 'أستاذ'] },
        { value: 'associate_professor', label: ['Associate professor', 'أستاذ مساعد'] },
        { value: 'lecturer', label: ['Lecturer', 'مدرس'] },
        { value: 'expert', label: ['Expert', 'خبير'] },
      ],
      { required: true },
    ),
    email: f.email(['E-mail', 'البريد الإلكتروني']),
  },
  menu: { group: 'catalogue', order: 96, icon: 'user-share', setup: true },
})
