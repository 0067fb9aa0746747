import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { z } from 'zod'

/** What the log of changes says of its tables. */
export const servicesTold: TablesTold = {
  services: {
    fields: {
      answers: f.json(['What was answered', 'البيانات المدخلة'], z.unknown()),
      prepaid: f.flag(['Paid before work begins', 'السداد قبل بدء العمل']),
      alone: f.flag(['One at a time', 'طلب واحد في المرة']),
      step: f.integer(['Place in the chain', 'الترتيب في المسار']),
      answer: f.longText(['Answer', 'الرد']),
      answer_file_id: f.file(['File of the answer', 'ملف الرد']),
    },
  },
  service_kind_fields: {
    one: ['Field of a service', 'حقل خدمة'],
    many: ['Fields of services', 'حقول الخدمات'],
  },
  service_kind_steps: {
    one: ['Office of a service', 'مكتب خدمة'],
    many: ['Offices of services', 'مكاتب الخدمات'],
  },
  service_steps: {
    one: ['Office of a service request', 'مكتب طلب خدمة'],
    many: ['Offices of service requests', 'مكاتب طلبات الخدمات'],
    fields: {
      name: f.text(['Office in English', 'المكتب بالإنجليزية']),
      name_local: f.text(['Office in Arabic', 'المكتب بالعربية']),
      position: f.integer(['Place in the chain', 'الترتيب في المسار']),
      days: f.integer(['Days it may take', 'المدة بالأيام']),
      note_shown: f.flag(['Who asked reads its note', 'يقرأ مقدم الطلب ملاحظته']),
      since: f.instant(['Has it since', 'لديه منذ']),
      due_on: f.date(['Due', 'موعد الإنجاز']),
      done_at: f.instant(['Its part was done at', 'وقت إنجاز دوره']),
      done_by: f.lookup(['Its part was done by', 'أنجز دوره'], 'user'),
      reminded_on: f.date(['Reminded on', 'تاريخ التذكير']),
      told_on: f.date(['Told to who manages services on', 'تاريخ إبلاغ مسؤول الخدمات']),
    },
  },
}
