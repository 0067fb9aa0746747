import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const certificatesTold: TablesTold = {
  certificates: {
    fields: {
      prepared_at: f.instant(['Prepared at', 'وقت الإعداد']),
      prepared_by: f.lookup(['Prepared by', 'أعدها'], 'user'),
    },
    untold: ['prepared_hash', 'text_id'],
  },
  graduate_requests: {
    fields: { proof_file_id: f.file(['Proof of identity', 'إثبات الهوية']) },
  },
  signatory_holders: {
    one: ['Holder of a signing position', 'شاغل وظيفة توقيع'],
    many: ['Holders of signing positions', 'شاغلو وظائف التوقيع'],
  },
  certificate_setting_prices: {
    one: ['Price of a certificate', 'سعر شهادة'],
    many: ['Prices of certificates', 'أسعار الشهادات'],
  },
  certificate_setting_signers: {
    one: ['Signatory of a type of certificate', 'موقع نوع شهادة'],
    many: ['Signers of types of certificates', 'موقعو أنواع الشهادات'],
  },
  certificate_prints: {
    one: ['Printing of a certificate', 'طباعة شهادة'],
    many: ['Printings of certificates', 'مرات طباعة الشهادات'],
    fields: {
      paper_id: f.integer(['Paper', 'الوثيقة']),
      number: f.integer(['Number of the printing', 'رقم الطباعة']),
      original: f.flag(['Original', 'أصل']),
      printed_at: f.instant(['Printed at', 'وقت الطباعة']),
      printed_by: f.lookup(['Printed by', 'من طبعها'], 'user'),
      reason: f.text(['Reason', 'السبب']),
    },
  },
  certificate_signatures: {
    one: ['Signature of a certificate', 'توقيع شهادة'],
    many: ['Signatures of certificates', 'توقيعات الشهادات'],
    fields: {
      deputy_id: f.lookup(['Signed by the deputy', 'وقّعها النائب'], 'user'),
      signed_at: f.instant(['Signed at', 'وقت التوقيع']),
      voided_at: f.instant(['Voided at', 'وقت إلغاء التوقيع']),
    },
    untold: ['prepared_hash'],
  },
}
