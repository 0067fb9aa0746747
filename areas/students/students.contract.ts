import { area } from '#kit/contract/index.ts'
import { student } from './student/student.contract.ts'

/** Students and their academic record. */
export const studentsArea = area({
  name: 'students',
  label: ['Students', 'الطلاب'],
  resources: [student],
  errors: {
    program_of_other_faculty: ['The program belongs to another faculty.', 'البرنامج يتبع كلية أخرى.'],
  },
})
