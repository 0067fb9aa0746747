import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const offeringsTold: TablesTold = {
  offering_groups: {
    one: ['Group of an offering', 'مجموعة مقرر مطروح'],
    many: ['Groups of offerings', 'مجموعات المقررات المطروحة'],
    title: ['offering_id', 'number'],
  },
  offering_instructors: {
    one: ['Member of the team of an offering', 'عضو في هيئة تدريس مقرر'],
    many: ['Teams of offerings', 'هيئة تدريس المقررات المطروحة'],
  },
  offering_programs: {
    one: ['Program of an offering', 'برنامج مقرر مطروح'],
    many: ['Programs of offerings', 'برامج المقررات المطروحة'],
  },
  offering_slots: {
    one: ['Meeting of an offering', 'موعد مقرر مطروح'],
    many: ['Meetings of offerings', 'مواعيد المقررات المطروحة'],
    fields: {
      day: f.choice(
        ['Day', 'اليوم'],
        [
          { value: 0, label: ['Sunday', 'الأحد'] },
          { value: 1, label: ['Monday', 'الاثنين'] },
          { value: 2, label: ['Tuesday', 'الثلاثاء'] },
          { value: 3, label: ['Wednesday', 'الأربعاء'] },
          { value: 4, label: ['Thursday', 'الخميس'] },
          { value: 5, label: ['Friday', 'الجمعة'] },
          { value: 6, label: ['Saturday', 'السبت'] },
        ],
      ),
    },
    title: ['group_id'],
  },
  offering_slot_instructors: {
    one: ['Instructor of a meeting', 'القائم على موعد'],
    many: ['Instructors of meetings', 'القائمون على المواعيد'],
  },
}
