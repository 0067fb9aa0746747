import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const logbookTold: TablesTold = {
  logbook_entries: {
    fields: { rotation_id: f.lookup(['Rotation', 'الدورة'], 'rotation') },
    untold: ['uuid', 'revision'],
  },
  duty_rosters: {
    one: ['Duty roster', 'جدول نوبتجيات'],
    many: ['Duty rosters', 'جداول النوبتجيات'],
    fields: {
      starts_on: f.date(['From', 'من']),
      ends_on: f.date(['Until', 'حتى']),
      drawn_at: f.instant(['Drawn at', 'وقت الإعداد']),
      published_at: f.instant(['Published at', 'وقت النشر']),
      status: f.choice(
        ['Status', 'الحالة'],
        [
          { value: 'draft', label: ['Draft', 'مسودة'] },
          { value: 'published', label: ['Published', 'منشور'] },
        ],
      ),
    },
  },
  duty_shifts: {
    one: ['Duty', 'نوبتجية'],
    many: ['Duties', 'النوبتجيات'],
    fields: {
      kind_id: f.lookup(['Kind of duty', 'نوع نوبتجية'], 'dutyKind'),
      day: f.date(['Day', 'اليوم']),
      starts_at: f.instant(['Begins', 'تبدأ']),
      ends_at: f.instant(['Ends', 'تنتهي']),
    },
    untold: ['rests_until'],
  },
  duty_supervisors: {
    one: ['Supervisor of a duty', 'مشرف نوبتجية'],
    many: ['Supervisors of duties', 'مشرفو النوبتجيات'],
    fields: { day: f.date(['Day', 'اليوم']) },
    untold: ['id'],
  },
  duty_swaps: {
    untold: ['shift_id', 'with_shift_id'],
  },
}
