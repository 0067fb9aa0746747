import { crud } from '#access/permissions.contract.ts'
import { f, lookup } from '#kit/contract/index.ts'

/** Who is asked. */
export const QUESTIONNAIRE_KINDS = [
  { value: 'student', label: ['Students', 'الطلاب'] },
  { value: 'graduate', label: ['Graduates', 'الخريجون'] },
  { value: 'faculty', label: ['Staff', 'العاملون'] },
  // Beside those of the documents: by a list, and a link for each.
  { value: 'outsider', label: ['People outside', 'أشخاص من خارج الجامعة'] },
] as const
export type QuestionnaireKind = (typeof QUESTIONNAIRE_KINDS)[number]['value']
/** What one set of answers is about. */
export const QUESTIONNAIRE_ABOUT = [
  { value: 'course', label: ['Each offering', 'كل مقرر مطروح'] },
  { value: 'instructor', label: ['Each instructor of an offering', 'كل عضو هيئة تدريس في المقرر'] },
  { value: 'university', label: ['All together', 'الجميع معًا'] },
] as const

/** A template: whom it asks, about what, and with which questions. Questionnaires are made from it. */
export const questionnaireType = lookup('questionnaireType', {
  path: '/questionnaires/types',
  table: 'questionnaire_types',
  one: ['Type of questionnaire', 'نوع استبيان'],
  many: ['Types of questionnaires', 'أنواع الاستبيانات'],
  adding: ['Add type of questionnaire', 'إضافة نوع استبيان'],
  editing: ['Edit type of questionnaire', 'تعديل نوع استبيان'],
  changedBy: 'whole',
  fields: {
    kind: f.choice(['Asked are', 'المستهدفون'], QUESTIONNAIRE_KINDS, { required: true }),
    about: f.choice(['About', 'يتناول'], QUESTIONNAIRE_ABOUT, { required: true }),
    introduction: f.longText(['Introduction in English', 'المقدمة بالإنجليزية'], { max: 2000, detailOnly: true }),
    introduction_local: f.longText(['Introduction in Arabic', 'المقدمة بالعربية'], { max: 2000, detailOnly: true }),
    introduction_de: f.longText(['Introduction in German', 'المقدمة بالألمانية'], { max: 2000, detailOnly: true }),
    introduction_fr: f.longText(['Introduction in French', 'المقدمة بالفرنسية'], { max: 2000, detailOnly: true }),
    introduction_pt: f.longText(['Introduction in Portuguese', 'المقدمة بالبرتغالية'], { max: 2000, detailOnly: true }),
  },
  list: { columns: ['code', 'name', 'name_local', 'kind', 'about'], filters: ['kind', 'about'] },
  permissions: { ...crud('questionnaireType'), import: null },
  exportName: 'Types of questionnaires',
  examples: [1, 2, 3, 4].map((n) => ({
    code: `Q${n}`,
    name: `Survey ${n}`,
    name_local: `استطلاع ${n}`,
    kind: 'student',
    about: 'university',
  })),
  screens: {
    list: '/questionnaires_types',
    show: '/questionnaires_types/show/:id',
    add: '/questionnaires_types/add',
    edit: '/questionnaires_types/edit/:id',
  },
  menu: { group: 'quality', order: 12, icon: 'template', subject: 'questionnaires' },
})
