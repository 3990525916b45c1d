module.exports = require('../../jest.preset.js').project(__dirname);
