// The thread that colours code.
import { answerQuestions } from '../../thread.ts'
import { type Code, colour } from './colouring.ts'
import type { Token } from './highlight.ts'

answerQuestions<Code, Token[][] | undefined>(colour)
