import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { PROJECT_DOCUMENT_KINDS, MEMBER_JOBS } from './project/project.contract.ts'

/** What the log of changes says of its tables. */
export const projectsTold: TablesTold = {
  project_members: {
    one: ['Member of a project', 'عضو في مشروع'],
    many: ['Members of projects', 'أعضاء المشروعات'],
    title: ['name'],
    fields: {
      name: f.text(['Name', 'الاسم']),
      job: f.choice(['Job', 'الصفة'], MEMBER_JOBS),
      from_date: f.date(['From', 'من']),
      until_date: f.date(['Until', 'إلى']),
    },
    untold: ['position'],
  },
  project_budget_lines: {
    one: ['Budget line', 'بند ميزانية'],
    many: ['Budget lines', 'بنود الميزانية'],
    title: ['name'],
    fields: { name: f.text(['For', 'البند']), amount: f.integer(['Amount', 'المبلغ']) },
    untold: ['position'],
  },
  project_milestones: {
    one: ['Milestone', 'مرحلة تنفيذ'],
    many: ['Milestones', 'مراحل التنفيذ'],
    title: ['name'],
    fields: {
      name: f.text(['Milestone', 'المرحلة']),
      start_date: f.date(['From', 'من']),
      due_date: f.date(['Due', 'موعد التسليم']),
      done_on: f.date(['Done on', 'تاريخ الإنجاز']),
    },
    untold: ['position'],
  },
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
      kind: f.choice(['Kind', 'النوع'], PROJECT_DOCUMENT_KINDS),
      name: f.text(['Name', 'الاسم']),
      file_id: f.lookup(['File', 'الملف'], 'file'),
    },
  },
}
