import { area, screen } from '#kit/contract/index.ts'
import { employee } from './employees/employee.contract.ts'
import { guest } from './guests/guest.contract.ts'
import { instructor } from './instructors/instructor.contract.ts'
import { loadCalls } from './load/load.contract.ts'
import { nameCalls } from './names/names.contract.ts'
import { personRecordCalls } from './records/records.contract.ts'
import { jobTitle } from './job-titles/job-title.contract.ts'

/** People who work at the university. */
export const peopleArea = area({
  name: 'people',
  label: ['Staff', 'العاملون'],
  resources: [jobTitle, instructor, employee, guest],
  calls: { ...loadCalls, ...nameCalls, ...personRecordCalls },
  screens: [
    screen('/instructors/reports', {
      permission: 'access_instructor',
      title: ['Teaching load', 'الأعباء التدريسية'],
      parent: '/staff',
      menu: { group: 'people', order: 515, icon: 'report-analytics', block: 'staff' },
    }),
  ],
  notices: {
    notice_contract_ends: {
      title: ['Your contract ends soon', 'عقدك يوشك على الانتهاء'],
      audience: [2],
      app: 'always',
      mail: 'now',
    },
    notice_contract_ends_of: {
      title: ['A contract of an employee ends soon', 'عقد أحد الموظفين يوشك على الانتهاء'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_contract_ended: {
      title: ['Your contract ends', 'انتهاء عقدك'],
      audience: [2],
      app: 'always',
      mail: 'now',
    },
    notice_contract_ended_of: {
      title: ['A contract of an employee ends', 'انتهاء عقد أحد الموظفين'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
  },
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
    contract_ends_before_begin: ['It ends before it begins, on {from}.', 'ينتهي قبل بدايته في {from}.'],
    contract_end_needed: [
      'A contract of this kind is for a time: say until when.',
      'هذا النوع من العقود محدد المدة: اذكر تاريخ انتهائه.',
    ],
    contracts_overlap: [
      'Another contract runs at the same time, from {from} to {until}.',
      'يوجد عقد آخر في المدة نفسها، من {from} إلى {until}.',
    ],
    own_manager: ['Nobody manages himself or herself.', 'لا يكون الموظف مديرًا لنفسه.'],
    manager_no_employee: [
      'The manager is an employee who works here.',
      'المدير المباشر يجب أن يكون موظفًا على رأس العمل.',
    ],
    manager_circle: [
      'They would manage each other: {who} is managed by this employee.',
      'سيصبح كل منهما مديرًا للآخر: {who} يتبع هذا الموظف.',
    ],
    employee_manages: [
      'This employee manages {count} others. Give them another manager first.',
      'هذا الموظف مدير لعدد {count} من الموظفين. عيّن لهم مديرًا آخر أولًا.',
    ],
    guest_document_number: [
      'A passport has 6 to 20 letters and digits, a residence permit 4 to 30.',
      'رقم جواز السفر من 6 إلى 20 حرفًا ورقمًا، ورقم تصريح الإقامة من 4 إلى 30.',
    ],
    guest_document_twice: [
      'There is a guest with this document already, perhaps among those that were removed.',
      'يوجد ضيف بهذه الوثيقة بالفعل، وقد يكون بين المحذوفين.',
    ],
    cannot_remove_yourself: ['You cannot remove your own account.', 'لا يمكنك حذف حسابك.'],
    person_has_more_rights: ['This person has rights that you do not have.', 'لهذا المستخدم صلاحيات ليست لديك.'],
  },
})
