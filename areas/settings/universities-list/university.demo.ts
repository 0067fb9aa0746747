import { demoLookup } from '#demo/part.ts'
import { otherUniversity } from './university.contract.ts'

export default demoLookup(otherUniversity, [
  ['CU', 'Cairo University', 'جامعة القاهرة'],
  ['ASU', 'Ain Shams University', 'جامعة عين شمس'],
  ['AU', 'Alexandria University', 'جامعة الإسكندرية'],
  ['KU', 'Kuwait University', 'جامعة الكويت'],
  ['KSU', 'King Saud University', 'جامعة الملك سعود'],
  ['TUM', 'Technical University of Munich', 'جامعة ميونخ التقنية'],
])
