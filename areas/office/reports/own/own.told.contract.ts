import { f } from '#kit/contract/index.ts'
import { WEEKDAYS } from '#kit/contract/week.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { SCHEDULE_ENDS } from './own.contract.ts'

const ENDS = Object.entries(SCHEDULE_ENDS).map(([value, label]) => ({ value, label }))

/** What the log of changes says of own reports. */
export const ownReportsTold: TablesTold = {
  own_reports: {
    one: ['Own report', 'تقرير خاص'],
    many: ['Own reports', 'التقارير الخاصة'],
    fields: {
      name: f.text(['Name', 'الاسم']),
      shown: f.choice(
        ['Shown as', 'طريقة العرض'],
        [
          { value: 'both', label: ['Chart and table', 'رسم وجدول'] },
          { value: 'table', label: ['Table', 'جدول'] },
          { value: 'chart', label: ['Chart', 'رسم بياني'] },
        ],
      ),
      user_id: f.lookup(['Of', 'صاحبه'], 'user'),
    },
    untold: ['asked'],
  },
  own_report_people: {
    one: ['Person that a report is shared with', 'شخص مشترك في تقرير'],
    many: ['People that reports are shared with', 'أشخاص مشتركون في تقارير'],
    fields: { user_id: f.lookup(['With', 'مع'], 'user') },
    untold: ['report_id'],
  },
  own_report_roles: {
    one: ['Role that a report is shared with', 'دور مشترك في تقرير'],
    many: ['Roles that reports are shared with', 'أدوار مشتركة في تقارير'],
    untold: ['report_id'],
  },
  own_report_schedules: {
    one: ['Report by mail', 'تقرير بالبريد'],
    many: ['Reports by mail', 'تقارير بالبريد'],
    fields: {
      weekday: f.choice(['Day of the week', 'يوم الأسبوع'], WEEKDAYS.map((label, value) => ({ value, label })) as never),
      hour: f.integer(['From hour', 'من الساعة']),
      file: f.choice(
        ['File', 'الملف'],
        [
          { value: 'pdf', label: ['PDF document', 'مستند PDF'] },
          { value: 'xlsx', label: ['Spreadsheet (XLSX)', 'جدول بيانات (XLSX)'] },
        ],
      ),
      ended_at: f.instant(['Ended', 'انتهى']),
      ended_why: f.choice(['Why it ended', 'سبب الانتهاء'], ENDS),
      user_id: f.lookup(['Of', 'صاحبه'], 'user'),
    },
    untold: ['report_id'],
  },
}
