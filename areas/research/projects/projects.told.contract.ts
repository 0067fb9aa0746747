import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { DOCUMENT_KINDS } from './project/project.contract.ts'

/** What the log of changes says of its tables. */
export const projectsTold: TablesTold = {
  project_spendings: {
    one: ['Money spent by a project', 'مصروف مشروع'],
    many: ['Money spent by projects', 'مصروفات المشروعات'],
    title: ['what'],
    fields: {
      line_id: f.integer(['Budget line', 'بند الميزانية']),
      spent_on: f.date(['Spent on', 'تاريخ الصرف']),
      amount: f.integer(['Amount', 'المبلغ']),
      what: f.text(['For what', 'الغرض']),
      over_reason: f.text(['Why more than the line', 'سبب تجاوز البند']),
      file_id: f.lookup(['File', 'الملف'], 'file'),
    },
  },
  project_documents: {
    one: ['Document of a project', 'مستند مشروع'],
    many: ['Documents of projects', 'مستندات المشروعات'],
    title: ['name'],
    fields: {
      kind: f.choice(['Kind', 'النوع'], DOCUMENT_KINDS),
      name: f.text(['Name', 'الاسم']),
      file_id: f.lookup(['File', 'الملف'], 'file'),
    },
  },
}
