import { crud } from '#access/permissions.contract.ts'
import { z } from 'zod'
import { call, f, id, idParam, resource } from '#kit/contract/index.ts'
import { CONDITIONS, formWords, OUTCOME_DOMAINS, QUESTION_KINDS, questionForm } from './form.contract.ts'

const option = {
  name: f.text(['English', 'الإنجليزية'], { required: true, max: 200 }),
  name_local: f.text(['Arabic', 'العربية'], { required: true, max: 200 }),
  name_de: f.text(['German', 'الألمانية'], { max: 200 }),
  name_fr: f.text(['French', 'الفرنسية'], { max: 200 }),
  name_pt: f.text(['Portuguese', 'البرتغالية'], { max: 200 }),
}
const translated = { max: 500, detailOnly: true } as const

/** A question of a type, or of the bank. Each wording, scale and range is a version of it; a questionnaire keeps the one it was opened with. */
export const questionnaireQuestion = resource({
  name: 'questionnaireQuestion',
  path: '/questionnaires/questions',
  table: 'questionnaire_questions',
  one: ['Question', 'سؤال'],
  many: ['Questions', 'الأسئلة'],
  adding: ['Add question', 'إضافة سؤال'],
  editing: ['Edit question', 'تعديل سؤال'],
  permissions: { ...crud('questionnaireQuestion'), import: null },
  scope: 'university',
  changedBy: 'whole',
  fields: {
    type_id: f.lookup(['Type of questionnaire', 'نوع الاستبيان'], 'questionnaireType', {
      createOnly: true,
      help: ['Empty: in the bank alone', 'فارغ: في بنك الأسئلة فقط'],
    }),
    section: f.text(['Section in English', 'القسم بالإنجليزية'], { max: 200, detailOnly: true }),
    section_local: f.text(['Section in Arabic', 'القسم بالعربية'], { max: 200, detailOnly: true }),
    question: f.text(['Question in English', 'السؤال بالإنجليزية'], { required: true, max: 500 }),
    question_local: f.text(['Question in Arabic', 'السؤال بالعربية'], { required: true, max: 500 }),
    question_de: f.text(['In German', 'بالألمانية'], {
      ...translated,
      help: ['Empty: the English text.', 'فارغ: النص الإنجليزي.'],
    }),
    question_fr: f.text(['In French', 'بالفرنسية'], translated),
    question_pt: f.text(['In Portuguese', 'بالبرتغالية'], translated),
    section_de: f.text(['Section in German', 'القسم بالألمانية'], { max: 200, detailOnly: true }),
    section_fr: f.text(['Section in French', 'القسم بالفرنسية'], { max: 200, detailOnly: true }),
    section_pt: f.text(['Section in Portuguese', 'القسم بالبرتغالية'], { max: 200, detailOnly: true }),
    kind: f.choice(['Kind', 'النوع'], QUESTION_KINDS, { required: true }),
    points: f.integer(['Points', 'عدد الدرجات'], {
      min: 2,
      max: 11,
      help: ['Of ratings: from 1 to this number', 'لأسئلة التقييم: من 1 إلى هذا الرقم'],
    }),
    options: f.rows(['Words of the points, or options', 'عبارات الدرجات أو الاختيارات'], option, {
      table: 'questionnaire_options',
      parent: 'question_id',
      position: 'position',
      max: 30,
      detailOnly: true,
    }),
    grid_rows: f.rows(['Rows of the grid', 'صفوف الجدول'], option, {
      table: 'questionnaire_grid_rows',
      parent: 'question_id',
      position: 'position',
      max: 20,
      detailOnly: true,
    }),
    outcome_domain: f.choice(['Asks about outcomes', 'نواتج يتناولها السؤال'], OUTCOME_DOMAINS, {
      detailOnly: true,
      help: [
        'Of ratings: what is said then stands beside what the marks show.',
        'لأسئلة التقييم: يُعرض رأي الطلاب بجوار ما تبينه الدرجات.',
      ],
    }),
    minimum: f.integer(['Smallest number', 'أصغر رقم'], { detailOnly: true }),
    maximum: f.integer(['Largest number', 'أكبر رقم'], { detailOnly: true }),
    required: f.flag(['Required', 'إلزامي']),
    condition_id: f.lookup(['Only if the answer to', 'فقط إذا كانت إجابة'], 'questionnaireQuestion', {
      dependsOn: 'type_id',
      detailOnly: true,
    }),
    condition_is: f.choice(['compares', 'المقارنة'], CONDITIONS, { detailOnly: true }),
    condition_value: f.integer(['with', 'بالقيمة'], {
      detailOnly: true,
      help: ['Points, a number, or the place of an option', 'الدرجة أو الرقم أو ترتيب الاختيار'],
    }),
    position: f.integer(['Order', 'الترتيب'], { readOnly: true, max: 32_767 }),
    revision: f.integer(['Version of the question', 'إصدار السؤال'], { readOnly: true }),
  },
  sections: [
    {
      title: ['Question', 'السؤال'],
      fields: ['type_id', 'question', 'question_local', 'kind', 'points', 'outcome_domain', 'required'],
    },
    { title: ['What can be answered', 'الإجابات الممكنة'], fields: ['options', 'grid_rows', 'minimum', 'maximum'] },
    { title: ['When it is asked', 'متى يُطرح'], fields: ['condition_id', 'condition_is', 'condition_value'] },
    { title: ['Section of the form', 'قسم الاستمارة'], fields: ['section', 'section_local'] },
    {
      title: ['Other languages', 'لغات أخرى'],
      fields: ['question_de', 'question_fr', 'question_pt', 'section_de', 'section_fr', 'section_pt'],
    },
  ],
  list: {
    columns: ['position', 'question', 'question_local', 'type_id', 'kind', 'required', 'revision'],
    search: ['question', 'question_local'],
    sort: ['position', 'question', 'question_local', 'kind'],
    filters: ['type_id', 'kind', 'required'],
    order: ['position', 'asc'],
  },
  exportName: 'Questions of questionnaires',
  softDelete: true,
  screens: {
    list: '/questionnaires_questions',
    show: '/questionnaires_questions/show/:id',
    add: '/questionnaires_questions/add/:type_id?',
    edit: '/questionnaires_questions/edit/:id',
  },
  plain: true,
  menu: { group: 'quality', order: 11, icon: 'list-numbers', subject: 'questionnaires' },
})

const moved = {
  params: z.object({
    id: idParam,
    order: z
      .string()
      .regex(/^[1-9]\d{0,2}$/)
      .transform(Number),
  }),
  response: z.object({ data: z.array(z.object({ id, order: z.int() })) }),
}
const typeShown = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  kind: z.string(),
  about: z.string(),
  introduction: formWords.nullable(),
  questions: questionForm,
})

export const questionCalls = {
  reorder: call('PUT', '/questionnaires/questions/reorder/{id}/{order}', {
    permission: 'edit_questionnaireQuestion',
    summary: ['Put a question at a place of its questionnaire', 'نقل سؤال إلى موضع في الاستبيان'],
    ...moved,
  }),
  /** A section is what follows each other under one heading; any of its questions names it. */
  reorderSection: call('PUT', '/questionnaires/sections/reorder/{id}/{order}', {
    permission: 'edit_questionnaireQuestion',
    summary: ['Put the section of a question at a place among the sections', 'نقل قسم السؤال إلى موضع بين الأقسام'],
    ...moved,
  }),
  /** Questions of the bank, or of another type, become questions of a type; each remembers from which version it was copied. */
  copy: call('POST', '/questionnaires/questions/copy', {
    permission: 'add_questionnaireQuestion',
    summary: ['Copy questions into a type', 'نسخ أسئلة إلى نوع استبيان'],
    body: z.strictObject({ type_id: id, ids: z.array(id).min(1).max(200) }),
    response: z.object({ data: z.array(z.object({ id })) }),
  }),
  showType: call('GET', '/questionnaires/types/show/{id}', {
    permission: 'show_questionnaireType',
    summary: ['Show a type of questionnaire as it is filled in', 'عرض نوع استبيان كما يُملأ'],
    response: z.object({ data: typeShown }),
  }),
}
