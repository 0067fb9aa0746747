import { area, screen } from '#kit/contract/index.ts'
import { employee } from './employees/employee.contract.ts'
import { instructor } from './instructors/instructor.contract.ts'
import { loadCalls } from './load/load.contract.ts'
import { nameCalls } from './names/names.contract.ts'
import { recordCalls } from './records/records.contract.ts'

/** People who work at the university. */
export const peopleArea = area({
  name: 'people',
  label: ['Staff', 'العاملون'],
  resources: [instructor, employee],
  calls: { ...loadCalls, ...nameCalls, ...recordCalls },
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
    name_part_needed: [
      'A name needs the given name, and a grandfather the father.',
      'الاسم يلزمه الاسم الأول، واسم الجد يلزمه اسم الأب.',
    ],
    name_part_beside: [
      '“{part}” does not stand there in the name “{name}”: the parts, one after the other, are the whole name.',
      '«{part}» لا يوافق موضعه في الاسم «{name}»: أجزاء الاسم متتاليةً هي الاسم الكامل.',
    ],
    cannot_remove_yourself: ['You cannot remove your own account.', 'لا يمكنك حذف حسابك.'],
    person_has_more_rights: ['This person has rights that you do not have.', 'لهذا المستخدم صلاحيات ليست لديك.'],
  },
})
