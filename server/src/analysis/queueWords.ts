export { queueInWords } from '../scheduler/queue/words';
