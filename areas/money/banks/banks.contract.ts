import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { batch, batchCalls, batchSteps, reconciliationCalls } from './batches/batch.contract.ts'
import { bankInfo, bankInfoCalls } from './bank-info/bank-info.contract.ts'
import { bank } from './banks/bank.contract.ts'
import { currency } from './currencies/currency.contract.ts'

/** Bank accounts, currencies, what payers are told, and files of banks. */
export const banksArea = area({
  name: 'banks',
  label: ['Banks', 'البنوك'],
  resources: [bank, currency, bankInfo],
  calls: [bankInfoCalls, batchCalls, reconciliationCalls, listedCalls(batch, batchSteps)],
  screens: [
    screen('/bank-settings', {
      permission: 'access_bank',
      title: ['Bank settings', 'إعدادات البنوك'],
      menu: { group: 'finance', order: 90, icon: 'building-bank', setup: true },
    }),
    screen('/payments/batches', {
      permission: 'access_batch',
      title: ['Bank files', 'الملفات البنكية'],
      menu: { group: 'finance', order: 205, icon: 'file-import', block: 'bank' },
    }),
    screen('/payments/batch/:id', {
      permission: 'access_batch',
      title: ['Bank file', 'ملف بنكي'],
      parent: '/payments/batches',
    }),
    screen('/payments/imported_payments', {
      permission: 'access_batch',
      title: ['Imported payments', 'المدفوعات المستوردة'],
      menu: { group: 'finance', order: 210, icon: 'list-search', block: 'bank', subject: 'imported_payments' },
    }),
    screen('/payments/learned_payers', {
      permission: 'access_batch',
      title: ['Learned payers', 'دافعون معروفون بالتعلّم'],
      menu: { group: 'finance', order: 212, icon: 'list-search', block: 'bank', subject: 'imported_payments' },
    }),
    screen('/payments/reconciliation', {
      permission: 'access_reconciliation',
      title: ['Daily reconciliation', 'المطابقة اليومية'],
      menu: { group: 'finance', order: 215, icon: 'scale', block: 'bank' },
    }),
  ],
  // Some are named like the constraints of the tables that guard them.
  errors: {
    bank_iban_shape: [
      'An IBAN begins with two letters and two digits, e.g. EG38 0019 0005 0000 0000 2631 8000 2.',
      'يبدأ الآيبان بحرفين ورقمين، مثل EG38 0019 0005 0000 0000 2631 8000 2.',
    ],
    bank_iban_length: [
      'An IBAN of {country} has {length} characters; this one has {found}.',
      'آيبان {country} مكون من {length} خانة، وهذا مكون من {found}.',
    ],
    bank_iban_check: [
      'The check digits of this IBAN are not right: a character was mistyped.',
      'رقما التحقق في هذا الآيبان غير صحيحين: كُتب حرف أو رقم خطأ.',
    ],
    bank_iban_taken: ['Another bank has this IBAN.', 'هذا الآيبان مسجل لبنك آخر.'],
    bank_account_number: [
      'An account number has digits and letters, at least three.',
      'رقم الحساب أرقام وحروف لاتينية، ثلاثة على الأقل.',
    ],
    bank_swift_shape: [
      'A SWIFT code has 8 or 11 characters, e.g. NBEGEGCX.',
      'رمز سويفت مكون من 8 أو 11 خانة، مثل NBEGEGCX.',
    ],
    bank_swift_country: [
      'The SWIFT code is of {swift}, the IBAN of {iban}.',
      'رمز سويفت لدولة {swift} والآيبان لدولة {iban}.',
    ],
    currency_code_shape: [
      'The code of a currency has three capital letters, e.g. EUR.',
      'كود العملة ثلاثة أحرف لاتينية كبيرة، مثل EUR.',
    ],
    currency_unknown: ['There is no currency {code}.', 'لا توجد عملة {code}.'],
    // Why a file cannot be read.
    file_unknown: [
      'This is no statement in a form that is read: CSV, Excel, camt.052, camt.053 and camt.054 (packed as ZIP as well), MT940, OFX, QIF.',
      'هذا ليس كشف حساب بصيغة مقروءة: CSV أو Excel أو camt.052 أو camt.053 أو camt.054 (ولو مضغوطة ZIP) أو MT940 أو OFX أو QIF.',
    ],
    file_csv_broken: [
      'Line {line} breaks the table: a quotation mark is not closed.',
      'السطر {line} يكسر الجدول: علامة تنصيص غير مغلقة.',
    ],
    file_too_long: [
      'A file has {most} lines at most: send it in parts.',
      'الحد الأقصى {most} سطر في الملف: أرسله على أجزاء.',
    ],
    file_too_much: [
      'This file takes too long to read or too much memory: send it in parts.',
      'قراءة هذا الملف تستغرق وقتًا أو ذاكرة أكثر من المسموح: أرسله على أجزاء.',
    ],
    file_no_statement: ['There is no statement of an account in this file.', 'لا يوجد كشف حساب في هذا الملف.'],
    file_other_message: [
      'This is {found}, which tells no movements of an account. A statement is camt.052, camt.053 or camt.054, MT940, OFX, QIF, CSV or Excel.',
      'هذا {found} وليس فيه حركات حساب. كشف الحساب هو camt.052 أو camt.053 أو camt.054 أو MT940 أو OFX أو QIF أو CSV أو Excel.',
    ],
    file_ofx_broken: [
      'Movement {line} of this OFX file is not closed: the file was cut. Get it from the bank again.',
      'الحركة {line} في ملف OFX غير مغلقة: الملف مقطوع. احصل عليه من البنك مرة أخرى.',
    ],
    file_zip_tables: [
      'Tables packed together cannot be read as one: send each by itself.',
      'لا تُقرأ جداول مضغوطة معًا كملف واحد: أرسل كلًا منها وحده.',
    ],
    file_zip_many: ['A ZIP holds {most} statements at most.', 'الحد الأقصى {most} كشف في ملف ZIP.'],
    file_zip_nested: [
      '{name} is packed once more within the ZIP: unpack it and send what it holds.',
      'الملف {name} مضغوط مرة أخرى داخل ZIP: فك ضغطه وأرسل محتواه.',
    ],
    file_xml_broken: ['Line {line} is no well-formed XML: {reason}', 'السطر {line} ليس XML سليمًا: {reason}'],
    file_xml_doctype: [
      'The file declares a document type or entities. Statements of banks have none, so it is refused.',
      'يعلن الملف نوع مستند أو كيانات، وكشوف البنوك لا تحتوي على ذلك، فرُفض.',
    ],
    file_xml_deep: [
      'Elements are nested deeper than {most}: this is no statement.',
      'العناصر متداخلة أكثر من {most} مستوى: هذا ليس كشف حساب.',
    ],
    file_xml_long: [
      'A text has more than {most} characters: this is no statement.',
      'نص أطول من {most} حرف: هذا ليس كشف حساب.',
    ],
    // Why a line cannot be read.
    file_amount: ['“{text}” is no amount of this currency.', '«{text}» ليس مبلغًا بهذه العملة.'],
    file_currency: ['“{text}” is no currency.', '«{text}» ليست عملة.'],
    file_currencies: [
      '“{text}” names another currency than the line, which says {currency}.',
      '«{text}» بعملة غير عملة السطر {currency}.',
    ],
    file_side: ['It is not said whether money came or went.', 'لم يُذكر هل المبلغ وارد أم صادر.'],
    file_day: ['“{text}” is no day.', '«{text}» ليس تاريخًا.'],
    file_both_sides: ['There are a debit and a credit in one line.', 'في السطر مدين ودائن معًا.'],
    file_formula: [
      '“{text}” is a formula; formulas are not computed. Save the sheet with values.',
      '«{text}» معادلة، والمعادلات لا تُحسب. احفظ الملف بالقيم.',
    ],
    file_movement: [
      'This movement is not written as MT940 has it: {text}',
      'هذه الحركة ليست مكتوبة بصيغة MT940: {text}',
    ],
    // What is told of a file that can be read.
    file_parts_differ: [
      'The parts of the entry ({parts}) are not worth what was booked; it is one line here.',
      'أجزاء القيد ({parts}) لا تساوي قيمته، فهو هنا سطر واحد.',
    ],
    file_balance: [
      'Statement {number}: by its lines the closing balance is {expected}, the bank says {found}. A line is missing or twice.',
      'الكشف {number}: الرصيد الختامي حسب البنود {expected} والبنك يذكر {found}. بند ناقص أو مكرر.',
    ],
    file_balance_line: [
      'Here the running balance ({balance}) does not follow from the line before.',
      'الرصيد هنا ({balance}) لا يتبع السطر السابق.',
    ],
    file_balance_unread: ['A balance cannot be read.', 'تعذرت قراءة رصيد.'],
    file_dates_doubtful: [
      'Day and month can be told apart in no line. They were read day first; say so if the bank writes the month first.',
      'لا يمكن تمييز اليوم من الشهر في أي سطر. قُرئ اليوم أولًا؛ حدّد إن كان البنك يكتب الشهر أولًا.',
    ],
    file_line_skipped: [
      'This line has an amount but no day, or a day but no amount: it was taken for a sum.',
      'في هذا السطر مبلغ بلا تاريخ أو تاريخ بلا مبلغ: اعتُبر مجموعًا.',
    ],
    // Batches.
    batch_file_of_other: [
      'The statement is of account {account}, not of this bank.',
      'الكشف لحساب {account} وليس لهذا البنك.',
    ],
    batch_no_lines: ['There is no movement in this file.', 'لا توجد حركات في هذا الملف.'],
    batch_same_file: ['The same file was saved as {number}.', 'حُفظ الملف نفسه برقم {number}.'],
    batch_same_file_waits: ['The same file waits as {number}.', 'الملف نفسه في الانتظار برقم {number}.'],
    batch_wrong_lines: [
      '{count} lines cannot be read: leave them out, or correct the file.',
      'تعذرت قراءة {count} بند: استبعدها أو صحّح الملف.',
    ],
    batch_nothing_new: [
      'Nothing in this file is new: every line was saved before or is not booked.',
      'لا جديد في هذا الملف: كل بنوده محفوظة من قبل أو لا تُقيّد.',
    ],
    batch_over: ['{number} is saved or deleted already.', 'حُفظ {number} أو حُذف بالفعل.'],
    batch_changed_meanwhile: [
      'A payment of this file was booked in another way meanwhile. Look again.',
      'قُيّدت دفعة من هذا الملف بطريقة أخرى. راجعه من جديد.',
    ],
    batch_other_account: ['Of another account: {account}', 'لحساب آخر: {account}'],
    batch_pending: ['Not booked by the bank yet', 'لم يقيّده البنك بعد'],
    batch_currency: ['In {currency}; the account is in {wanted}', 'بعملة {currency} والحساب بعملة {wanted}'],
    batch_reversal: ['Takes back what the bank had booked', 'عكس لقيد سابق من البنك'],
    batch_outgoing: ['Money that went out', 'مبلغ صادر'],
    batch_paid_already: ['Booked already, as the transaction beside it', 'مُقيّد بالفعل بالمعاملة المجاورة'],
    batch_left_by_hand: ['Left out: {reason}', 'مستبعد: {reason}'],
    batch_line_changed: [
      'Somebody has changed this line meanwhile. Look again.',
      'غيّر شخص آخر هذا البند. راجعه من جديد.',
    ],
    batch_line_stays: ['This cannot be done with this line.', 'لا يمكن إجراء ذلك على هذا البند.'],
    batch_line_booked: ['This line is booked: cancel its transaction first.', 'هذا البند مُقيّد: ألغِ معاملته أولًا.'],
    batch_line_twice: ['Another file with this line was saved meanwhile.', 'حُفظ ملف آخر يحتوي على هذا البند.'],
    batch_line_not_booked: ['A line that counts has to be booked.', 'يجب قيد كل بند محسوب.'],
    batch_payer_unknown: ['There is no such payer.', 'لا يوجد دافع بهذا الرقم.'],
    batch_invoice_of_other: [
      'The invoice is of somebody else, in another currency, or reversed.',
      'الفاتورة لدافع آخر أو بعملة أخرى أو معكوسة.',
    ],
    reconciliation_days: [
      'At most {days} days, from the first to the last.',
      'الحد الأقصى {days} يومًا من الأول إلى الأخير.',
    ],
  },
})
