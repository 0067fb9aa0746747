import { f } from '#kit/contract/index.ts'
import { CHECK_WAYS, EXTERNAL_RESULTS, FOUND_WORDS } from './external/external.contract.ts'
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
  external_paper_files: {
    one: ['File of a paper from elsewhere', 'ملف وثيقة من جهة أخرى'],
    many: ['Files of papers from elsewhere', 'ملفات وثائق من جهات أخرى'],
    fields: { file_id: f.file(['File', 'الملف']) },
    untold: ['sha256'],
  },
  external_paper_checks: {
    one: ['Check of a paper from elsewhere', 'تحقق من وثيقة من جهة أخرى'],
    many: ['Checks of papers from elsewhere', 'عمليات التحقق من وثائق من جهات أخرى'],
    fields: {
      how: f.choice(['Found by', 'وسيلة التحقق'], CHECK_WAYS),
      result: f.choice(['Result', 'النتيجة'], EXTERNAL_RESULTS),
      found: f.choice(['What the file says', 'ما يفيده الملف'], FOUND_WORDS),
      remark: f.text(['Note', 'ملاحظة']),
      answered_by: f.text(['Answered by', 'صاحب الرد']),
      user_id: f.lookup(['Entered by', 'أدخله'], 'user'),
      file_id: f.file(['File', 'الملف']),
      at: f.instant(['At', 'الوقت']),
    },
    untold: ['sha256'],
  },
  external_paper_asks: {
    one: ['Question to an issuer', 'سؤال إلى جهة إصدار'],
    many: ['Questions to issuers', 'أسئلة إلى جهات الإصدار'],
    fields: {
      email: f.email(['E-mail', 'البريد الإلكتروني']),
      asked_by: f.lookup(['The issuer was asked by', 'من سأل جهة الإصدار'], 'user'),
      asked_at: f.instant(['Asked at', 'وقت السؤال']),
      due_on: f.date(['Answer expected by', 'موعد الرد المتوقع']),
      ended_at: f.instant(['Ended at', 'وقت الانتهاء']),
      reminded_on: f.date(['Reminded on', 'تاريخ التذكير']),
      told_on: f.date(['Told to who stands above on', 'تاريخ إبلاغ الرئيس']),
    },
  },
  external_papers: {
    fields: {
      applicant_id: f.lookup(['Applicant', 'المتقدم'], 'applicant'),
      person_name: f.text(['Person', 'صاحب الوثيقة']),
    },
    untold: ['sha256'],
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
  signature_pictures: {
    one: ['Picture of a signature', 'صورة توقيع'],
    many: ['Pictures of signatures', 'صور التوقيعات'],
    untold: ['file_id'],
  },
  certificate_signatures: {
    one: ['Signature of a certificate', 'توقيع شهادة'],
    many: ['Signatures of certificates', 'توقيعات الشهادات'],
    fields: {
      deputy_id: f.lookup(['Signed by the deputy', 'وقّعها النائب'], 'user'),
      signed_at: f.instant(['Signed at', 'وقت التوقيع']),
      voided_at: f.instant(['Voided at', 'وقت إلغاء التوقيع']),
    },
    untold: ['prepared_hash', 'picture_id'],
  },
}
