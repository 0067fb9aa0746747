import { lookup } from '#kit/contract/index.ts'

/** Job titles: what an employee is by appointment. */
export const jobTitle = lookup('jobTitle', {
  path: '/job-titles',
  one: ['Job title', 'المسمى الوظيفي'],
  many: ['Job titles', 'المسميات الوظيفية'],
  adding: ['Add job title', 'إضافة مسمى وظيفي'],
  editing: ['Edit job title', 'تعديل المسمى الوظيفي'],
  menu: { group: 'catalogue', order: 96, icon: 'briefcase-2', setup: true },
})
