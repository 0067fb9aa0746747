import { demoLookup } from '#demo/part.ts'
import { answerText } from './answer-text.contract.ts'

export default demoLookup(answerText, [
  [
    'THANKS',
    'Received',
    'تم الاستلام',
    {
      text: 'Dear {name},\n\nthank you, we have your question and answer as soon as we know more.',
      text_local: 'عزيزي {name}،\n\nشكرًا لك، وصلنا سؤالك وسنرد عليه فور توفر المعلومة.',
    },
  ],
  [
    'ENROLMENT',
    'Certificate of enrolment',
    'شهادة قيد',
    {
      text: 'Dear {name},\n\nyou can ask for the certificate of enrolment at the registration office with your university card. It is ready the next working day.',
      text_local:
        'عزيزي {name}،\n\nيمكنك طلب شهادة القيد من مكتب شؤون الطلاب ومعك بطاقتك الجامعية، وتكون جاهزة في يوم العمل التالي.',
    },
  ],
  [
    'PROOF',
    'We need a document',
    'مستند مطلوب',
    {
      text: 'Dear {name},\n\nplease attach a copy of your national id card to this ticket, both sides.',
      text_local: 'عزيزي {name}،\n\nنرجو إرفاق صورة من بطاقة الرقم القومي بالوجهين في هذه التذكرة.',
    },
  ],
])
