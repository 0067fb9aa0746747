import { area, screen } from '#kit/contract/index.ts'
import { employee } from './employees/employee.contract.ts'
import { instructor } from './instructors/instructor.contract.ts'
import { loadCalls } from './load/load.contract.ts'

/** People who work at the university. */
export const peopleArea = area({
  name: 'people',
  label: ['Staff', 'العاملون'],
  resources: [instructor, employee],
  calls: loadCalls,
  screens: [
    screen('/instructors/reports', {
      permission: 'access_instructor',
      title: ['Teaching load', 'الأعباء التدريسية'],
      parent: '/staff',
      menu: { group: 'people', order: 25, icon: 'report-analytics' },
    }),
  ],
  errors: {
    department_of_other_faculty: ['The department belongs to another faculty.', 'القسم يتبع كلية أخرى.'],
    cannot_remove_yourself: ['You cannot remove your own account.', 'لا يمكنك حذف حسابك.'],
    person_has_more_rights: ['This person has rights that you do not have.', 'لهذا المستخدم صلاحيات ليست لديك.'],
  },
})
