import { demoLookup } from '#demo/part.ts'
import { jobTitle } from './job-title.contract.ts'

/** As employees of the demo university are called, by their English names. */
export default demoLookup(jobTitle, [
  ['SYSADMIN', 'System Administrator', 'مسؤول النظام'],
  ['IT-HEAD', 'Head of Information Systems', 'رئيس إدارة نظم المعلومات'],
  ['IT-DIR', 'Systems Director', 'مدير نظم المعلومات'],
  ['REG', 'University Registrar', 'مسجل عام الجامعة'],
  ['FAC-REG', 'Faculty Registrar', 'مسجل الكلية'],
  ['EXAM', 'Exam Officer', 'مسؤول الامتحانات'],
  ['QUALITY', 'Quality Officer', 'مسؤول الجودة'],
  ['FIN', 'Finance Officer', 'مسؤول الشؤون المالية'],
  ['FIN-HEAD', 'Head of Finance', 'رئيس الشؤون المالية'],
  ['CASH', 'Cashier', 'أمين الخزينة'],
  ['ADM', 'Admission Officer', 'مسؤول القبول'],
  ['GRAD', 'Graduate Affairs Officer', 'موظف شؤون الخريجين'],
  ['GRAD-HEAD', 'Head of Graduate Affairs', 'رئيس شؤون الخريجين'],
  ['ADMIN-MAN', 'University Administration Manager', 'مدير إدارة الجامعة'],
  ['AFF-MAN', 'Student Affairs Manager', 'مدير شؤون الطلاب'],
  ['AFF-DIR', 'Director of Student Affairs', 'مدير عام شؤون الطلاب'],
  ['AFF', 'Student Affairs Specialist', 'أخصائي شؤون الطلاب'],
  ['REG-UNIT', 'Registration Unit Officer', 'موظف وحدة التسجيل'],
  ['HR', 'Personnel Officer', 'مسؤول شؤون العاملين'],
  ['LAB', 'Laboratory Technician', 'فني معمل'],
  ['SEC', 'Department Secretary', 'سكرتير القسم'],
  ['LIB', 'Librarian', 'أخصائي مكتبات'],
  ['ARCH', 'Archivist', 'أمين محفوظات'],
])
