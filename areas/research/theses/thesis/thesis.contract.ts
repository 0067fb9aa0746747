import { z } from 'zod'
import { crud } from '#access/crud.contract.ts'
import { f, ref, resource } from '#kit/contract/index.ts'
import { THESES, thesisFlow } from './flow.contract.ts'
import { THESIS_DEGREES, THESIS_LANGUAGES } from './words.contract.ts'

/** What somebody writes to be granted a master's degree or a doctorate. */
export const thesis = resource({
  name: 'thesis',
  path: THESES,
  table: 'theses',
  one: ['Thesis', 'رسالة'],
  many: ['Theses', 'الرسائل العلمية'],
  adding: ['Add thesis', 'إضافة رسالة'],
  editing: ['Edit thesis', 'تعديل رسالة'],
  permissions: { ...crud('thesis'), import: null },
  scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'supervised'],
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
    title: f.englishText(['English title', 'العنوان بالإنجليزية'], { required: true, max: 400 }),
    title_local: f.localText(['Arabic title', 'العنوان بالعربية'], { required: true, max: 400 }),
    degree: f.choice(['Degree', 'الدرجة العلمية'], THESIS_DEGREES, { required: true }),
    language: f.choice(['Written in', 'لغة الكتابة'], THESIS_LANGUAGES, { required: true }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { readOnly: true }),
    subject_id: f.lookup(['Subject offered', 'الموضوع المطروح'], 'thesisSubject', { createOnly: true }),
    supervisors: f.json(['Supervisors', 'المشرفون'], z.array(ref), { readOnly: true, required: true, noExport: true }),
    abstract: f.longText(['English abstract', 'الملخص بالإنجليزية'], { max: 8000, detailOnly: true, paired: true }),
    abstract_local: f.longText(['Arabic abstract', 'الملخص بالعربية'], { max: 8000, detailOnly: true, paired: true }),
    keywords: f.text(['English keywords', 'كلمات مفتاحية بالإنجليزية'], { max: 400, detailOnly: true }),
    keywords_local: f.text(['Arabic keywords', 'كلمات مفتاحية بالعربية'], { max: 400, detailOnly: true }),
    registered_on: f.date(['Registered on', 'تاريخ التسجيل'], { readOnly: true }),
    approved_on: f.date(['Approved on', 'تاريخ الاعتماد'], { readOnly: true }),
    granted_on: f.date(['Granted on', 'تاريخ المنح'], { readOnly: true }),
    due_on: f.date(['Next step by', 'الخطوة التالية قبل'], { readOnly: true }),
    status: f.choice(['Status', 'الحالة'], thesisFlow.states, { readOnly: true }),
  },
  list: {
    columns: ['title', 'student_id', 'supervisors', 'degree', 'faculty_id', 'due_on', 'status'],
    search: ['title', 'title_local', 'student_id'],
    sort: ['title', 'registered_on', 'due_on', 'status'],
    filters: ['status', 'degree', 'faculty_id', 'department_id', 'due_on', 'registered_on'],
    order: ['due_on', 'asc'],
  },
  sections: [
    {
      title: ['Thesis', 'الرسالة'],
      fields: ['student_id', 'subject_id', 'degree', 'language', 'department_id', 'title', 'title_local'],
    },
    { title: ['Abstract', 'الملخص'], fields: ['abstract', 'abstract_local', 'keywords', 'keywords_local'] },
  ],
  exportName: 'Theses',
  softDelete: true,
  screens: { list: THESES, show: `${THESES}/:id`, add: `${THESES}/thesis/add`, edit: `${THESES}/thesis/edit/:id` },
  menu: { group: 'research', order: 10, icon: 'book', subject: 'theses', notFor: [3] },
})
