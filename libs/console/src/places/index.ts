export { addressOf, CONSOLE_PATH, type Place, placeAt, type PlaceName, SIGNED_IN_PATH } from './place';
