import type { SystemReport } from '../figures/reports.contract.ts'

/** What no report of the system tells, and own reports may: students as they stood on some days. */
export const STANDING_REPORT: SystemReport = {
  label: ['Students as of a day', 'الطلاب كما في يوم محدد'],
  text: ['Who stood how on days of before', 'من كان على أي حال في أيام سابقة'],
  permission: 'access_report_Registrations',
  screen: '/reports/own',
  of: 'standing',
  measures: ['students_then', 'people_then'],
  rows: ['as_of', 'status', 'faculty', 'department', 'program', 'level', 'cohort', 'gender', 'nationality'],
  columns: ['as_of', 'status'],
  filters: ['faculty', 'department', 'program', 'level', 'status', 'cohort', 'gender', 'nationality'],
  chart: 'bar',
}
