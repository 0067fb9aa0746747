import { crud } from '#access/permissions.contract.ts'
import { GRACE_PURPOSES } from '#areas/study/catalogue/words.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** What the council decided on grace marks for a year. What is left empty is as the bylaw has it. */
export const graceRule = resource({
  name: 'graceRule',
  path: '/grace-rules',
  table: 'grace_rules',
  one: ['Grace marks of a year', 'درجات الرأفة للعام'],
  many: ['Grace marks', 'درجات الرأفة'],
  adding: ['Add a decision on grace marks', 'إضافة قرار درجات رأفة'],
  editing: ['Edit a decision on grace marks', 'تعديل قرار درجات الرأفة'],
  permissions: { ...crud('graceRule'), restore: null, import: null },
  scope: ['faculty', 'bylaw'],
  fields: {
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { required: true, createOnly: true }),
    year_id: f.lookup(['Year', 'العام'], 'year', { required: true, createOnly: true }),
    decided_by: f.text(['Decided by', 'صاحب القرار'], {
      required: true,
      max: 100,
      help: ['The council of the faculty, say', 'مجلس الكلية مثلًا'],
    }),
    decision_number: f.text(['Number of the decision', 'رقم القرار'], { required: true, max: 40 }),
    decided_on: f.date(['Date of the decision', 'تاريخ القرار'], { required: true }),
    first_for: f.choice(['First for', 'أولًا من أجل'], GRACE_PURPOSES, {
      help: ['Empty: in the order of the bylaw', 'فارغ: بترتيب اللائحة'],
    }),
    then_for: f.choice(['Then for', 'ثم من أجل'], GRACE_PURPOSES),
    last_for: f.choice(['Last for', 'وأخيرًا من أجل'], GRACE_PURPOSES),
    per_course: f.decimal(['Most on a course', 'الحد الأقصى للمقرر'], {
      places: 2,
      max: 100,
      help: ['Empty: as in the bylaw', 'فارغ: كما في اللائحة'],
    }),
    in_all: f.decimal(['Most in all', 'الحد الأقصى الإجمالي'], { places: 2, max: 999 }),
    share: f.decimal(['Most in all, percent of the level', 'الحد الإجمالي كنسبة من مجموع المستوى'], {
      places: 2,
      max: 100,
    }),
    on_transcript: f.flag(['Shown on the transcript', 'تظهر في بيان الدرجات']),
  },
  list: {
    columns: ['year_id', 'bylaw_id', 'decided_by', 'decision_number', 'decided_on', 'per_course', 'in_all'],
    search: ['decision_number', 'decided_by'],
    sort: ['decided_on', 'decision_number'],
    filters: ['bylaw_id', 'year_id'],
    order: ['decided_on', 'desc'],
  },
  sections: [
    { title: ['Decision', 'القرار'], fields: ['bylaw_id', 'year_id', 'decided_by', 'decision_number', 'decided_on'] },
    {
      title: ['Marks', 'الدرجات'],
      text: ['What is left empty is as the bylaw has it.', 'ما يُترك فارغًا يؤخذ من اللائحة.'],
      fields: ['first_for', 'then_for', 'last_for', 'per_course', 'in_all', 'share', 'on_transcript'],
    },
  ],
  exportName: 'Grace marks',
  plain: true,
  examples: [
    { bylaw_id: 2, year_id: 1, decided_by: 'Faculty council', decision_number: '9/2021', decided_on: '2021-07-04' },
  ],
  softDelete: false,
  screens: {
    list: '/control/grace-rules',
    show: '/control/grace-rules/:id',
    add: '/control/grace-rules/add',
    edit: '/control/grace-rules/edit/:id',
  },
  menu: { group: 'control', order: 27, icon: 'file-plus' },
})
